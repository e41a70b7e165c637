"""Rules that a file can break, and for each a way to break it."""


class RuleBook:
    """Rules and mutations by the name of the rule.

    A rule is a function that yields something for every breach. A mutation is a function that changes an open file.
    """

    def __init__(self):
        self.rules = {}
        self.mutations = {}

    def rule(self, function):
        """Registers a rule under the name of its function."""
        self.rules[function.__name__] = function
        return function

    def breaks(self, name):
        """Registers a way to break the rule of that name."""
        def register(function):
            self.mutations[name] = function
            return function
        return register

    def broken(self, *read) -> list[str]:
        """The names of the rules that a file breaks; `read` is what each rule takes."""
        return [name for name, check in self.rules.items() if any(True for _ in check(*read))]

    def tried(self, judged) -> dict:
        """Each rule broken on purpose, one at a time. `judged` tells which rules a file breaks after a change."""
        found = {name: judged(change) for name, change in self.mutations.items()}
        return {"sound": judged(lambda pdf: None), "rules": sorted(self.rules), "mutants": found}
