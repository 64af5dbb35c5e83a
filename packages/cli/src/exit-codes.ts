/** Exit codes. Scripts may rely on them. */
export const EXIT = { ok: 0, failure: 1, usage: 2, notFound: 3, store: 4, stopped: 130 } as const

export const EXIT_CODES_HELP = `Exit codes:
  0  done
  1  failed (the message says why)
  2  wrong usage: an unknown option, an invalid value, no --yes
  3  not found: no such database, file, user, memory or operation
  4  the database cannot be used: busy, read-only, full, damaged, too new
  130  stopped by Ctrl-C`
