import type { MakeCommand } from './define-command.ts'

type LoadCommand = () => Promise<MakeCommand>

const blocks = () => import('./commands/blocks.ts')
const change = () => import('./commands/change.ts')
const keep = () => import('./commands/keep.ts')
const show = () => import('./commands/show.ts')

/** All commands by heading and name, in the order of the help. A command is loaded when called, or for the list of all. */
export const COMMANDS: Readonly<Record<string, Readonly<Record<string, LoadCommand>>>> = {
  'Start:': {
    demo: async () => (await import('./commands/demo.ts')).demoCommand,
    chat: async () => (await import('./commands/chat.ts')).chatCommand,
    import: async () => (await import('./commands/import.ts')).importCommand,
    inspect: async () => (await import('./commands/inspect.ts')).inspectCommand,
  },
  'Ask:': {
    recall: async () => (await import('./commands/recall.ts')).recallCommand,
    list: async () => (await import('./commands/list.ts')).listCommand,
    blocks: async () => (await blocks()).blocksCommand,
    due: async () => (await show()).dueCommand,
    entities: async () => (await show()).entitiesCommand,
    about: async () => (await show()).aboutCommand,
    persona: async () => (await show()).personaCommand,
    state: async () => (await show()).stateCommand,
    portrait: async () => (await show()).portraitCommand,
    story: async () => (await show()).storyCommand,
    why: async () => (await show()).whyCommand,
    history: async () => (await show()).historyCommand,
  },
  'Change:': {
    guidelines: async () => (await show()).guidelinesCommand,
    'add-fact': async () => (await change()).addFactCommand,
    edit: async () => (await change()).editCommand,
    'write-block': async () => (await blocks()).writeBlockCommand,
    'edit-block': async () => (await blocks()).editBlockCommand,
    forget: async () => (await change()).forgetCommand,
    restore: async () => (await change()).restoreCommand,
    quarantine: async () => (await change()).quarantineCommand,
    pin: async () => (await change()).pinCommand,
    undo: async () => (await change()).undoCommand,
    confirm: async () => (await change()).confirmCommand,
    'run-forgetting': async () => (await import('./commands/forgetting.ts')).forgettingCommand,
    erase: async () => (await import('./commands/erase.ts')).eraseCommand,
  },
  'Keep:': {
    export: async () => (await keep()).exportCommand,
    backup: async () => (await keep()).backupCommand,
    stats: async () => (await keep()).statsCommand,
    scopes: async () => (await keep()).scopesCommand,
    jobs: async () => (await import('./commands/jobs.ts')).jobsCommand,
    'restore-backup': async () => (await import('./commands/restore-backup.ts')).restoreBackupCommand,
    erasures: async () => (await import('./commands/erasures.ts')).erasuresCommand,
    migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
    doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  'Serve:': {
    serve: async () => (await import('./commands/serve.ts')).serveCommand,
    keys: async () => (await import('./commands/keys.ts')).keysCommand,
    webhooks: async () => (await import('./commands/webhooks.ts')).webhooksCommand,
    audit: async () => (await import('./commands/audit.ts')).auditCommand,
    mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  },
  'Measure:': { bench: async () => (await import('./commands/bench.ts')).benchCommand },
  'Learn:': { train: async () => (await import('./commands/train.ts')).trainCommand },
}
