"""The record of a campaign is append-only: the database itself refuses to change or delete an entry."""

from django.db import migrations

REFUSAL = "the record of a campaign is append-only"
SQLITE = [
    f"CREATE TRIGGER event_no_{verb} BEFORE {verb} ON server_event BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    for verb in ("update", "delete")
]
POSTGRESQL = [
    f"CREATE FUNCTION event_append_only() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$ "
    "LANGUAGE plpgsql",
    "CREATE TRIGGER event_append_only BEFORE UPDATE OR DELETE ON server_event "
    "FOR EACH ROW EXECUTE FUNCTION event_append_only()",
]


def guard(_apps, editor):
    """Create the triggers."""
    for statement in SQLITE if editor.connection.vendor == "sqlite" else POSTGRESQL:
        editor.execute(statement, None)


class Migration(migrations.Migration):
    """Adds the triggers."""

    dependencies = [("server", "0001_initial")]
    operations = [migrations.RunPython(guard, migrations.RunPython.noop)]
