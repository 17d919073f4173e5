#!/bin/sh
# Stands for a git that hangs.
exec sleep 60
