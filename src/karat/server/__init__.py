"""The campaign server: a Django project in one process, with one home folder and one database."""
