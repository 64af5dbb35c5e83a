import { Command } from 'commander'
import { tenantOption, withDatabase, type CommonOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { withExisting } from '../open-database.ts'
import { print, printJson, table } from '../output/print.ts'
import { printable, styleFor } from '../output/style.ts'

interface Options extends CommonOptions {
  readonly tenant?: string
}

export function scopesCommand(io: Io): Command {
  const command = new Command('scopes')
    .summary('whose memories there are')
    .description(
      'Whose memories the database holds: tenant, user, agent and app. Erased people are not listed.',
    )
    .addOption(tenantOption(io, 'only of this tenant'))
    .addHelpText('after', examples('keepsake scopes', 'keepsake scopes --db memory.db --json'))
  return withDatabase(command, io, 'one JSON object a scope, a line each').action(
    async (options: Options) => {
      const filter = options.tenant === undefined ? {} : { tenant: options.tenant }
      const rows = await withExisting(options, (memory) => memory.scopes(filter))
      if (options.json === true) {
        for (const { tenant, user, agent, app } of rows) printJson(io, { tenant, user, agent, app })
        return
      }
      const style = styleFor(io)
      const cells = rows.map(({ tenant, user, agent, app }) =>
        [user, agent ?? '-', app ?? '-', tenant].map(printable),
      )
      print(
        io,
        rows.length === 0
          ? style.dim('Nobody yet.')
          : table(['user', 'agent', 'app', 'tenant'].map(style.dim), cells),
      )
    },
  )
}
