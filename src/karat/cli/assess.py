"""`karat assess`: a program, or a model behind an endpoint, judges units of a campaign server."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from typing import Any

import click
import msgspec

from karat.cli import FORMAT, LOOPBACK, Command, print_answer, tell
from karat.errors import UsageError

MOST_PROMPT = 40_000
PROGRESS = 50
"""Units between two lines about how far it is."""
EITHER = "give either --program CMD, or --endpoint URL with --model M"


@click.command("assess", cls=Command)
@click.option("--to", "server", required=True, metavar="URL", help="the server, as https://eval.example.org")
@click.option("--token", required=True, envvar="KARAT_TOKEN", help="the token of the assessor; else $KARAT_TOKEN")
@click.option("--campaign", required=True, metavar="NAME", help="the campaign")
@click.option("--task", required=True, metavar="NAME", help="the task")
@click.option("--program", metavar="CMD", help="a program that reads and writes one JSON object per line")
@click.option("--endpoint", metavar="URL", help="an OpenAI-compatible endpoint, as http://127.0.0.1:8080/v1")
@click.option("--model", default="", metavar="M", help="the model; of a program, a name to record")
@click.option("--prompt", type=click.Path(exists=True, dir_okay=False), metavar="FILE", help="a prompt of your own")
@click.option("--parameter", multiple=True, metavar="K=V", help="a parameter of the model, as temperature=0; recorded")
@click.option("--api-key-env", metavar="NAME", help="the environment variable with the key of the endpoint")
@click.option("--rate", type=click.FloatRange(0, min_open=True), metavar="N", help="at most so many units a minute")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=120.0, show_default=True, help="seconds")
@click.option("--tries", type=click.IntRange(1, 20), default=3, show_default=True, help="attempts to get an answer")
@click.option("--attempts", type=click.IntRange(1, 50), default=6, show_default=True, help="sendings of a request")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="stop after so many units")
@click.option("--price-in", type=click.FloatRange(0), metavar="PRICE", help="of a million tokens of input")
@click.option("--price-out", type=click.FloatRange(0), metavar="PRICE", help="of a million tokens of output")
@FORMAT
def command(server: str, token: str, campaign: str, task: str, form: str, **given: Any) -> None:
    """Judge units of a campaign with a program, or a model behind an endpoint.

    Judgments are marked as those of a program. Start it again to go on where it stopped. Exit status 0: everything is
    judged; 1: units were left unjudged, or refused; 2: the call is wrong, or there is no server or endpoint.
    """
    from karat.client.assessing import AssessCounts, assess
    from karat.client.campaigns import JudgingClient
    from karat.client.requests import Sender

    sender, asking = _sender(Sender, given), _sender(Sender, given)
    judge = _judge(given, asking)
    at = JudgingClient(server, _checked(server, token), campaign, task, sender)
    tally, done, finished = AssessCounts(), False, False

    def told(unit: Any, so_far: AssessCounts) -> None:
        if so_far.judged and so_far.judged % PROGRESS == 0:
            tell(f"{unit.done} of {unit.total} judged")

    try:
        finished = assess(at, judge, tally, tries=given["tries"], limit=given["limit"], told=told)
        done = True
    finally:
        judge.close()
        facts = msgspec.structs.asdict(tally) | {
            "campaign": campaign,
            "task": task,
            "left": tally.left,
            "sent_again": sender.repeated + asking.repeated,
            "cost": tally.cost(given["price_in"], given["price_out"]),
            "finished": finished,
        }
        if done or tally.judged:
            print_answer(facts, form, _lines(facts))
    if tally.left:
        raise click.exceptions.Exit(1)


def _sender(kind: Any, given: dict[str, Any]) -> Any:
    return kind(attempts=given["attempts"], timeout=given["timeout"])


def _checked(server: str, token: str) -> str:
    from karat.client.requests import split_address

    secure, host = split_address(server, "--to", "https://eval.example.org")
    if not (token.strip().isascii() and token.strip().isprintable()):
        raise UsageError("--token has characters that no token has; copy it again")
    if not secure and host not in LOOPBACK:
        tell("warning: without https, the token and the judgments can be read on the way")
    return token.strip()


def _judge(given: dict[str, Any], sender: Any) -> Any:
    """The judge that was asked for."""
    from karat.client.judges import EndpointAssessor, Pace, ProgramAssessor

    program, endpoint = given["program"], given["endpoint"]
    if (program is None) == (endpoint is None):
        raise UsageError(EITHER)
    parameters = _parameters(given["parameter"])
    if program is not None:
        if given["prompt"] or given["api_key_env"]:
            raise UsageError("--prompt and --api-key-env are for --endpoint; a program has its own")
        return ProgramAssessor(_words(program), given["model"], parameters, given["timeout"])
    if not given["model"]:
        raise UsageError(EITHER)
    from karat.client.prompts import DEFAULT
    from karat.client.requests import split_address

    secure, host = split_address(endpoint, "--endpoint", "http://127.0.0.1:8080/v1")
    key = _key(given["api_key_env"])
    if key and not secure and host not in LOOPBACK:
        tell("warning: without https, the key of the endpoint can be read on the way")
    prompt = DEFAULT if given["prompt"] is None else _prompt(given["prompt"])
    pace = Pace(given["rate"])
    return EndpointAssessor(
        endpoint, given["model"], prompt=prompt, parameters=parameters, key=key, sender=sender, pace=pace
    )


def _words(program: str) -> list[str]:
    try:
        words = shlex.split(program)
    except ValueError as error:
        raise UsageError(f"--program {program}: {error}") from None
    if not words:
        raise UsageError("--program is empty; name a program")
    return words


def _key(name: str | None) -> str:
    if name is None:
        return ""
    key = os.environ.get(name, "").strip()
    if not key or not (key.isascii() and key.isprintable()):
        raise UsageError(f"--api-key-env {name}: there is no such environment variable, or no key in it")
    return key


def _prompt(file: str) -> str:
    from karat.files import read_bytes

    try:
        text = read_bytes(file, MOST_PROMPT).decode()
    except ValueError:
        raise UsageError(f"--prompt {file} is not in UTF-8") from None
    if not text.strip() or len(text) > MOST_PROMPT:
        raise UsageError(f"--prompt {file} has {len(text):,} characters; expected 1 to {MOST_PROMPT:,}")
    return text


def _parameters(given: Sequence[str]) -> dict[str, Any]:
    """Parameters by name, each a value in JSON or a word."""
    found: dict[str, Any] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not name or not equals or name in found or name in ("model", "messages", "stream"):
            raise UsageError(f"--parameter {one}: expected NAME=VALUE, each name once; not model, messages or stream")
        try:
            found[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            found[name] = value
    return found


def _lines(facts: dict[str, Any]) -> list[str]:
    """The counts for people."""
    told = [f"{facts['judged']} units judged" + f", {facts['skipped']} of them skipped" * bool(facts["skipped"])]
    if facts["left"]:
        told.append(
            f"{facts['left']} units left unjudged: {facts['unreadable']} without an answer that can be used, "
            f"{facts['refused']} refused by the server; the last problem: {facts['last_problem']}"
        )
    if facts["tokens_in"] or facts["tokens_out"]:
        told.append(f"tokens: {facts['tokens_in']:,} in, {facts['tokens_out']:,} out")
    if facts["cost"] is not None:
        told.append(f"cost: {facts['cost']:g}")
    return told if facts["finished"] else [*told, "stopped; start again to go on"]
