"""The plugin of Hermes: this folder is $HERMES_HOME/plugins/throughline, and config.yaml has `context: {engine: throughline}` and
`plugins: {enabled: [throughline]}`."""

from throughline import Engine
from throughline.hermes import Throughline


def register(ctx):
    Throughline(Engine()).register(ctx)
