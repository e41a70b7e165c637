"""Verifies an event with the reference library of Standard Webhooks.

Standard input: {"secret", "headers": {name: value}, "body"}. Prints the event, or {"refused": why} if its signature or its
time is wrong.
"""

import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError

message = json.load(sys.stdin)
try:
    event = Webhook(message["secret"]).verify(message["body"], message["headers"])
except WebhookVerificationError as error:
    event = {"refused": str(error)}
json.dump(event, sys.stdout)
