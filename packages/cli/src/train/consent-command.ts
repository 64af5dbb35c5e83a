import { Option } from '@commander-js/extra-typings'
import type { Keepsake } from 'keepsake'
import { given } from '@keepsake/text/names'
import { wrongUsage } from '../cli-error.ts'
import { defineCommand } from '../define-command.ts'
import { loadTraining } from '../load-package.ts'
import { chooseScope, matchesAgentAndApp, withExisting } from '../open-database.ts'
import { showTable } from '../output/print.ts'
import { printable } from '../output/style.ts'

const ANSWERS = { refuse: 'refused', allow: 'given', unasked: 'unasked' } as const

export const consentCommand = defineCommand({
  name: 'consent',
  summary: 'consent of users to training',
  description:
    'Records whether a user’s data may be used for training, or lists the answers of users. "keepsake train export" leaves out users who refused. With --agent or --app the answer applies to that part of their memory.',
  sharedOptions: ['person', 'db'],
  declare: (command) =>
    command.addOption(
      new Option('--answer <word>', 'the user’s answer; "unasked" withdraws it').choices(
        Object.keys(ANSWERS) as (keyof typeof ANSWERS)[],
      ),
    ),
  json: 'one JSON object per line',
  examples: [
    'keepsake train consent --user maya --answer refuse',
    'keepsake train consent --user maya --agent tutor --answer allow',
    'keepsake train consent --json',
  ],
  async run({ options }) {
    return withExisting(options, async (memory) => {
      const { answer, user, agent, app } = options
      if (answer !== undefined) {
        if (user === undefined) throw wrongUsage('Name the user who gave the answer with --user.')
        const { writeConsent } = await loadTraining()
        const { key } = await chooseScope(memory, options)
        const isWhole = agent === undefined && app === undefined
        const rows = await memory.scopes(given({ user: key.user, tenant: key.tenant }))
        for (const row of rows.filter((row) => matchesAgentAndApp(row, options)))
          await writeConsent(memory.records, { row, isWhole }, ANSWERS[answer])
      }
      return listConsent(memory, given({ user, tenant: options.tenant }))
    })
  },
})

async function listConsent(memory: Keepsake, filter: { readonly user?: string; readonly tenant?: string }) {
  const { readConsent } = await loadTraining()
  const rows = await memory.scopes(filter)
  const consents = await Promise.all(rows.map((row) => readConsent(memory.records, row)))
  const data = rows.map(({ tenant, user, agent, app }, index) => {
    return { tenant, user, agent, app, consent: consents[index] }
  })
  const cells = data.map((row) =>
    [row.user, row.agent ?? '-', row.app ?? '-', row.tenant, row.consent ?? ''].map(printable),
  )
  return showTable(data, ['user', 'agent', 'app', 'tenant', 'consent'], cells, 'No users yet.')
}
