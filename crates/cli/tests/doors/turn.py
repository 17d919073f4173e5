"""A turn by the generated client: its models in, its models out."""

import sys

from throughline_client import AuthenticatedClient
from throughline_client.api.default import context_answer, context_next_request, context_open, context_user
from throughline_client.models import (
    ContextAnswerBody,
    ContextAnswerBodyBody,
    ContextNextRequestBody,
    ContextOpenBody,
    ContextUserBody,
)

address, token = sys.argv[1:3]
with AuthenticatedClient(base_url=address, token=token, raise_on_unexpected_status=True) as client:
    opening = ContextOpenBody.from_dict({"model": "claude-sonnet-4-5"})
    opened = context_open.sync("mine", client=client, body=opening)
    assert opened.window == 200_000, opened
    context_user.sync("mine", client=client, body=ContextUserBody(text="Why does it fail?"))
    request = context_next_request.sync("mine", client=client, body=ContextNextRequestBody())
    body = request.body.to_dict()
    assert body["messages"][0]["role"] == "user", body
    text = {"content": [{"type": "text", "text": "A comma."}], "stop_reason": "end_turn"}
    answer = ContextAnswerBody(request=request.id, body=ContextAnswerBodyBody.from_dict(text))
    followed = context_answer.sync("mine", client=client, body=answer)
    refused = context_next_request.sync("mine", client=client, body=ContextNextRequestBody())
    print(f"anthropic body of {body['model']}; {followed.then}: {followed.text}; refused: {refused.error.code}")
