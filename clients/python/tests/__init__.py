"""Run by packages/cli/test/python-client.test.ts, which starts a real server and names it in the environment."""
