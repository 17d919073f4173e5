"""An S3 server, and a look into it with the client of AWS.

serve ACCOUNT   serves until it is killed; the first line says where; with `locked` no unknown key is let in
make URL BUCKET, list URL BUCKET, remove URL BUCKET KEY, spoil URL BUCKET KEY
"""

import os
import sys


def serve(mode):
    if mode == "locked":
        os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "0"
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    print(f"listening http://{host}:{port}", flush=True)
    sys.stdin.read()


def client(url):
    import boto3

    return boto3.client(
        "s3",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id="test-key",
        aws_secret_access_key="test-secret",
    )


def main(what, *rest):
    if what == "serve":
        return serve(*rest)
    url, bucket, *key = rest
    s3 = client(url)
    if what == "make":
        s3.create_bucket(Bucket=bucket)
    elif what == "list":
        for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket):
            for found in page.get("Contents", []):
                print(found["Key"], found["Size"])
    elif what == "remove":
        s3.delete_object(Bucket=bucket, Key=key[0])
    elif what == "spoil":
        s3.put_object(Bucket=bucket, Key=key[0], Body=b"spoiled")
    else:
        sys.exit(f"unknown: {what}")


main(*sys.argv[1:])
