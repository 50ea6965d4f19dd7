"""The process in which an embedder runs, so that one that hangs or crashes takes nothing along.

A request a line comes in as JSON, an answer a line goes out; it ends with its caller.
"""

import argparse
import json
import os
import sys
from array import array
from base64 import b64encode
from contextlib import redirect_stdout

from learnt.bootstrap import local_embedder
from learnt.errors import LearntError
from learnt.settings import load


def main() -> int:
    """Answer until standard input ends."""
    parser = argparse.ArgumentParser(prog="learnt embedding")
    parser.add_argument("--home", required=True)
    answers = sys.stdout

    def answer(**said: object) -> None:
        print(json.dumps(said), file=answers, flush=True)

    with redirect_stdout(sys.stderr):  # what a library prints is no answer
        try:
            embedder = local_embedder(load(os.environ, parser.parse_args().home))
            answer(name=embedder.name, spread=embedder.spread)
            for line in sys.stdin:
                asked = json.loads(line)
                vectors = embedder.embed(asked["texts"], question=asked["question"])
                packed = (array("f", vector).tobytes() for vector in vectors)
                answer(vectors=[b64encode(raw).decode() for raw in packed])
        except LearntError as error:
            answer(error=str(error))
        except Exception as error:  # noqa: BLE001  # what a model's runtime raises has no class
            answer(error=f"{type(error).__name__}: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
