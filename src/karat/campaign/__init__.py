"""The rules of a campaign as pure functions: no HTTP, no database; time and randomness are arguments.

What happens to a campaign is a list of events. `decide` answers a command with the events that follow from it, and
`apply` gives the state after an event, so that every state can be computed again from the events alone.
"""
