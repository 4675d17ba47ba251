"""Entering: one-time links, invitations, passwords, tokens."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def site(home: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Campaigns and people on a server; failures to log in of one test delay no other."""
    del home
    from karat.server.pages import account
    from karat.server.throttle import Delays
    from tests.server import campaigns

    monkeypatch.setattr(account, "ATTEMPTS", Delays())
    return campaigns


def test_the_host_enters_once(site: Any) -> None:
    """The first GET logs in with a new session; the second says what to do."""
    link, one = site.host_address(), site.client()
    one.get("/login/")
    assert one.head(link).status_code == 404, "what only looks ahead does not use the link up"
    assert one.get(link).headers["Location"] == "/welcome/"
    assert "karat.sqlite3" in site.text_of(one.get("/welcome/"))
    again = site.client().get(link)
    assert again.status_code == 410
    assert "karat serve" in site.text_of(again)


@pytest.mark.parametrize(
    ("typed", "status", "to"),
    [
        ("/login", 302, "/login/"),
        ("/c/some-name", 302, "/c/some-name/"),
        ("/nowhere", 404, None),
        ("/nowhere/", 404, None),
        ("//evil.example", 404, None),
        ("//evil.example/login", 404, None),
        ("/api/nothing", 404, None),
    ],
)
def test_a_slash_that_was_not_typed(site: Any, typed: str, status: int, to: str | None) -> None:
    """An address without its last slash leads to the page, and never to another site."""
    answer = site.client().get("/", PATH_INFO=typed) if typed.startswith("//") else site.client().get(typed)
    assert (answer.status_code, answer.headers.get("Location")) == (status, to)


def test_a_link_expires(site: Any) -> None:
    """After 30 minutes a link is as good as none."""
    link = site.host_address()
    site.models.Secret.objects.filter(sha256=site.store.digest_of(link.rpartition("/")[2].encode())).update(
        expires=site.store.now()
    )
    assert site.client().get(link).status_code == 410
    assert site.client().get("/enter/invented").status_code == 410


JOINING = {
    "person": "Ada Lovelace",
    "contact": "ada@example.org",
    "password": "correct horse battery",
    "signed": "Ada Lovelace",
}


def test_a_team_joins_by_invitation(site: Any) -> None:
    """Looking changes nothing; joining stores account, member and signature, and uses the link up."""
    campaign = site.make_campaign()
    link, one = site.invitation(campaign, "team", "Quartz"), site.client()
    page = site.text_of(one.get(link))
    assert "&lt;b&gt;before&lt;/b&gt;" in page
    assert "<strong>test set</strong>" in page
    assert one.get(link).status_code == 200
    answer = one.post(link, JOINING | {"account": "ada"})
    assert answer.headers["Location"] == f"/c/{campaign}/"
    there = site.store.state_of(campaign).members["ada"]
    assert (there.team, there.contact, there.signature.person) == ("Quartz", "ada@example.org", "Ada Lovelace")
    assert not there.signature.on_paper
    assert "team Quartz" in site.text_of(one.get(f"/c/{campaign}/"))
    assert site.client().post(link, JOINING | {"account": "eve"}).status_code == 410


def test_everything_wrong_is_said_at_once(site: Any) -> None:
    """What was entered is kept, except the password."""
    campaign = site.make_campaign()
    link = site.invitation(campaign, "team", "Quartz")
    answer = site.client().post(link, {"person": "Ada", "account": "a b", "password": "short", "signed": ""})
    page = site.text_of(answer)
    assert answer.status_code == 422
    assert page.count('class="error"') == 3
    long = site.client().post(link, JOINING | {"account": "ada2", "person": "A" * 300})
    assert "at most 200 characters" in site.text_of(long).lower()
    assert 'value="Ada"' in page
    assert "short" not in page
    assert "at least 10 characters" in page
    assert not site.store.state_of(campaign).members


def test_two_use_one_link(site: Any) -> None:
    """The second one stores nothing, not even an account."""
    campaign = site.make_campaign()
    link = site.invitation(campaign, "team", "Opal")
    secret = site.models.Secret.objects.get(sha256=site.store.digest_of(link.rpartition("/")[2].encode()))
    from karat.server.pages import enter

    coming = enter.Coming(site.store.state_of(campaign), "team", "Opal", secret)
    assert site.client().post(link, JOINING | {"account": "first"}).status_code == 302
    request = site.client().get("/login/").wsgi_request
    request.POST = JOINING | {"account": "second"}
    fields = enter._joined(request, coming, enter._fields(coming))
    assert any("used this link" in text for one in fields for text in one.wrong)
    assert not site.models.Account.objects.filter(name="second").exists()
    assert "second" not in site.store.state_of(campaign).members


def test_a_member_more_and_an_account_again(site: Any) -> None:
    """A second member joins the team; somebody with an account joins another campaign with its password."""
    first, second = site.make_campaign(), site.make_campaign()
    for name in ("grace", "hedy"):
        assert (
            site.client().post(site.invitation(first, "team", "Onyx"), JOINING | {"account": name}).status_code == 302
        )
    assert {one.team for one in site.store.state_of(first).members.values()} == {"Onyx"}
    link = site.invitation(second, "team", "Onyx")
    wrong = site.client().post(link, JOINING | {"account": "grace", "password": "something else"})
    assert wrong.status_code == 422
    assert "There is already an account with this name" in site.text_of(wrong)
    assert site.client().post(link, JOINING | {"account": "grace"}).status_code == 302
    assert site.store.state_of(second).members["grace"].team == "Onyx"


def test_a_new_password(site: Any) -> None:
    """A link for somebody who is there sets a password, and ends their other sessions."""
    campaign = site.make_campaign()
    old = site.member(campaign, None, "judge-1", role="assessor")
    link, one = site.invitation(campaign, "assessor", "judge-1"), site.client()
    assert "Choose a new password" in site.text_of(one.get(link))
    assert one.post(link, {"password": "too short"}).status_code == 422
    assert one.post(link, {"password": "a new long one"}).status_code == 302
    assert one.get(f"/c/{campaign}/").status_code == 200
    assert old.get(f"/c/{campaign}/").status_code == 302, "the old session has ended"
    assert site.client().post("/login/", {"account": "judge-1", "password": "a new long one"}).status_code == 302


def test_a_team_named_like_an_account_does_not_get_it(site: Any) -> None:
    """Nor does an assessor named like a member of a team."""
    campaign = site.make_campaign()
    site.member(campaign, "Larch", "max")
    page = site.text_of(site.client().get(site.invitation(campaign, "team", "max")))
    assert "Join as team max" in page
    link = site.invitation(campaign, "assessor", "max")
    assert "Choose a new password" not in site.text_of(site.client().get(link))
    assert site.client().post(link, JOINING | {"account": "max", "password": "not the password"}).status_code == 422


def test_open_to_everybody(site: Any) -> None:
    """A team makes itself; a name that is taken is not joined by a stranger."""
    campaign = site.make_campaign(registration="open")
    assert f"/c/{campaign}/join/" in site.text_of(site.client().get("/"))
    form = JOINING | {"team": "Flint"}
    assert site.client().post(f"/c/{campaign}/join/", form | {"account": "mary"}).status_code == 302
    stranger = site.client().post(f"/c/{campaign}/join/", form | {"account": "mallory"})
    assert stranger.status_code == 422
    assert "choose another name" in site.text_of(stranger)
    assert "mallory" not in site.store.state_of(campaign).members
    assert site.client().get(f"/c/{site.make_campaign()}/join/").status_code == 404


def test_the_commitment_is_published_before_the_opening(site: Any) -> None:
    """Whoever can join sees the hash of the key: visitors where everybody can, else those invited; never its nonce."""
    for registration in ("open", "invitation"):
        campaign = site.make_campaign(registration=registration, opens=1, closes=2)
        state, front = site.store.state_of(campaign), site.text_of(site.client().get("/"))
        link = site.invitation(campaign, "team", "Quartz")
        pages = [site.text_of(site.client().get(link)), front]
        if registration == "open":
            pages.append(site.text_of(site.client().get(f"/c/{campaign}/join/")))
        shown = [state.commitment in page for page in pages]
        assert shown == [True, registration == "open"] + [True] * (registration == "open")
        secrets = (state.nonce, state.seed, *(state.files[task.test] for task in state.definition.tasks))
        assert not [one for one in secrets for page in pages if one in page]


def test_logging_in_is_delayed_and_never_barred(site: Any) -> None:
    """After five failures the answer is 429 before any hashing; another address and another name are not delayed."""
    campaign = site.make_campaign()
    site.member(campaign, "Jade", "jade")
    one, form = site.client(), {"account": "jade", "password": "wrong password"}
    assert [one.post("/login/", form).status_code for _ in range(5)] == [403] * 5
    delayed = one.post("/login/", {"account": "jade", "password": site.PASSWORD})
    assert delayed.status_code == 429
    assert int(delayed.headers["Retry-After"]) >= 1
    assert "not locked" in site.text_of(delayed)
    assert (
        one.post("/login/", {"account": "jade", "password": site.PASSWORD}, REMOTE_ADDR="10.0.0.9").status_code == 302
    )
    assert site.client().post("/login/", {"account": "someone", "password": "x"}).status_code == 403


def test_no_hash_is_computed_for_a_delayed_attempt(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The throttle stands before the hashing."""
    from karat.server.pages import account

    for _ in range(9):
        account.ATTEMPTS.failed(("127.0.0.1", "jade"), 1e12)
    monkeypatch.setattr("time.monotonic", lambda: 1e12)
    monkeypatch.setattr(account, "authenticate", lambda *_, **__: pytest.fail("hashed"))
    assert site.client().post("/login/", {"account": "jade", "password": "x"}).status_code == 429


@pytest.mark.parametrize(
    ("wanted", "given"), [("/c/x/", "/c/x/"), ("https://evil.example/", "/"), ("//evil.example", "/")]
)
def test_logging_in_leads_nowhere_else(site: Any, wanted: str, given: str) -> None:
    """The page after the login is one of this server."""
    campaign = site.make_campaign()
    site.member(campaign, "Ruby", "ruby")
    one = site.client()
    before = one.session.session_key
    answer = one.post("/login/", {"account": "ruby", "password": site.PASSWORD, "next": wanted})
    assert answer.headers["Location"] == given
    assert one.session.session_key != before


def test_tokens_are_shown_once_and_revoked(site: Any) -> None:
    """Only the hash is stored; revoking ends exactly the one that is named."""
    from karat.server.accounts import find_link

    campaign = site.make_campaign()
    one = site.member(campaign, "Beryl", "beryl")
    pages = [site.text_of(one.post("/account/tokens/", {"campaign": campaign})) for _ in range(2)]
    tokens = [page.partition('id="secret">')[2].partition("<")[0] for page in pages]
    assert all(token.startswith("karat_") for token in tokens)
    listed = site.text_of(one.get("/account/"))
    assert tokens[0] not in listed
    fingerprint = site.store.digest_of(tokens[0].encode())[:12]
    assert fingerprint in listed
    one.post("/account/tokens/end/", {"campaign": campaign, "fingerprint": ""})
    assert find_link(tokens[0], "token") is not None, "an empty name ends nothing"
    one.post("/account/tokens/end/", {"campaign": campaign, "fingerprint": fingerprint})
    assert find_link(tokens[0], "token") is None
    assert find_link(tokens[1], "token") is not None
    assert one.post("/account/tokens/", {"campaign": site.make_campaign()}).status_code == 404


def test_changing_a_password_needs_the_old_one(site: Any) -> None:
    """The session stays; the old password no longer works."""
    campaign = site.make_campaign()
    one = site.member(campaign, "Topaz", "topaz")
    assert one.post("/account/", {"current": "wrong", "password": "another long one"}).status_code == 422
    assert one.post("/account/", {"current": site.PASSWORD, "password": "short"}).status_code == 422
    assert one.post("/account/", {"current": site.PASSWORD, "password": "another long one"}).status_code == 302
    assert one.get("/account/").status_code == 200
    assert site.client().post("/login/", {"account": "topaz", "password": site.PASSWORD}).status_code == 403


@pytest.mark.parametrize("wanted", ["foo", "login", "?x", "https://evil.example/", "//evil.example/"])
def test_logging_in_leads_to_a_page_of_this_server(site: Any, wanted: str) -> None:
    """Whatever an address asks for that is none."""
    site.member(site.make_campaign(), "Jasper", "jasper")
    answer = site.client().post("/login/", {"account": "jasper", "password": site.PASSWORD, "next": wanted})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")


def test_long_names_are_not_remembered(site: Any) -> None:
    """What strangers send fills no memory, and delays them all the same."""
    from karat.server.pages import account

    attempts = [site.client().post("/login/", {"account": "x" * 10**6, "password": "p"}) for _ in range(6)]
    assert [one.status_code for one in attempts] == [403] * 5 + [429]
    kept: Any = account.ATTEMPTS._failures
    assert [len(name) for _, name in kept] == [41]


def test_a_password_ends_the_links_of_the_host(site: Any) -> None:
    """A link that was printed and not used is no second way in."""
    link, kept = site.host_address(), site.host_address()
    one = site.client()
    one.get(link)
    assert one.post("/account/", {"password": "another long one"}).status_code == 302
    assert site.client().get(kept).status_code == 410
    by_reset = site.host_address()
    reset = site.invitation(site.make_campaign(), "host-reset", "organiser", "organiser")
    assert site.client().post(reset, {"password": "chosen by herself"}).status_code == 302
    assert site.client().get(by_reset).status_code == 410


def test_an_account_of_the_example_joins_nothing_that_counts(site: Any) -> None:
    """The host looks through its eyes: it cannot join another campaign, and has no rights there even if it has."""
    campaign = site.make_campaign()
    account = site.models.Account.objects.create(name="Example-oak", example=True)
    account.set_password("correct horse battery")
    account.save()
    link = site.invitation(campaign, "team", "Oak")
    answer = site.client().post(link, JOINING | {"account": "Example-oak"})
    assert answer.status_code == 422
    assert "account of the example campaign" in site.text_of(answer)
    assert not site.store.state_of(campaign).members
    assert site.member(campaign, "Oak", "Example-oak").get(f"/c/{campaign}/").status_code == 404


def test_a_form_without_its_token_is_refused(site: Any) -> None:
    """And the page says why."""
    from django.test import Client

    strict = Client(enforce_csrf_checks=True, headers={"host": "127.0.0.1:8000"})
    answer = strict.post("/login/", {"account": "a", "password": "b"})
    assert answer.status_code == 403
    assert "This form has expired" in site.text_of(answer)


def test_logging_out_ends_the_session(site: Any) -> None:
    """By POST alone."""
    one = site.host()
    assert one.get("/logout/").status_code == 405
    one.post("/logout/")
    assert one.get("/account/").headers["Location"] == "/login/?next=/account/"


def test_an_organiser_takes_over_no_account_of_another_campaign(site: Any) -> None:
    """Links for new passwords go to those who are in this campaign alone, unless the host makes them."""
    mine, other = site.make_campaign(), site.make_campaign()
    organiser = site.member(mine, None, "boss", role="organiser", signed=False)
    site.member(mine, "Garnet", "both")
    site.member(other, "Garnet", "both")
    site.member(mine, "Agate", "agate-person")
    assert organiser.post(f"/c/{mine}/people/both/reset/").status_code == 404
    site.member(mine, None, "judge-of-two", role="assessor")
    site.member(other, None, "judge-of-two", role="assessor")
    assert organiser.post(f"/c/{mine}/people/invite/", {"role": "assessor", "name": "judge-of-two"}).status_code == 422
    assert organiser.post(f"/c/{mine}/people/invite/", {"role": "organiser", "name": "organiser"}).status_code == 422
    assert site.host().post(f"/c/{mine}/people/both/reset/").status_code == 200
    page = site.text_of(organiser.post(f"/c/{mine}/people/agate-person/reset/"))
    link = page.partition('id="secret">')[2].partition("<")[0].removeprefix("http://127.0.0.1:8000")
    assert site.client().post(link, {"password": "chosen by herself"}).status_code == 302
    account = site.models.Account.objects.get(name="agate-person")
    assert account.check_password("chosen by herself")
    assert site.logged_in(account).get(f"/c/{mine}/").status_code == 200


def test_a_link_kept_for_later_takes_over_nobody(site: Any) -> None:
    """A link that an organiser kept back is worth nothing once the account has rights elsewhere; the host's is."""
    mine, other = site.make_campaign(), site.make_campaign()
    kept = [site.invitation(mine, "assessor", "wren-of-two"), site.invitation(mine, "reset", "wren-of-two", "assessor")]
    by_host = site.invitation(mine, "host-reset", "wren-of-two", "assessor")
    site.member(mine, None, "wren-of-two", role="assessor")
    assert site.client().get(kept[0]).status_code == 200
    site.member(other, None, "wren-of-two", role="organiser")
    for link in kept:
        assert site.client().get(link).status_code == 410
        assert site.client().post(link, {"password": "somebody else's"}).status_code == 410
    assert site.models.Account.objects.get(name="wren-of-two").check_password(site.PASSWORD)
    assert site.client().post(by_host, {"password": "chosen by herself"}).status_code == 302
