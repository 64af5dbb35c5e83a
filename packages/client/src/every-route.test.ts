import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createKeepsakeClient, type KeepsakeClient, type ScopeClient } from './index.ts'

type Operations = Readonly<Record<string, { readonly operationId: string }>>
const { paths } = JSON.parse(readFileSync(new URL('../../server/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Operations>>
}

const NAMES: Readonly<Record<string, string>> = {
  user: 'ana',
  memory: 'm1',
  operation: 'o1',
  turn: 't1',
  erasure: 'e1',
  session: 'monday',
  entity: 'Mia',
  webhook: 'w1',
  key: 'goals',
}

/** Every route of the description: what it is called, and where it is. */
const ROUTES = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({
    id: operationId,
    at: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => NAMES[name] ?? name)}`,
  })),
)
const TURN = { role: 'user', text: 'I keep bees.' } as const

/** What asks each route, by the name that the description has for it. */
const CALLS: Readonly<Record<string, (ana: ScopeClient, all: KeepsakeClient) => unknown>> = {
  remember: (ana) => ana.remember(TURN),
  listTurns: (ana) => ana.turns({ session: 'monday' }),
  listTurnsAround: (ana) => ana.turnsAround('t1', 3),
  listSessions: (ana) => ana.sessions({ newestFirst: true }),
  getRemembering: (ana) => ana.isRemembered('monday'),
  setRemembering: (ana) => ana.setRemembered('monday', false),
  endSession: (ana) => ana.endSession('monday'),
  recall: (ana) => ana.recall('Where?'),
  reply: (ana) => ana.reply(TURN),
  recallAcross: (_, all) => all.recallAcross([{ user: 'ana' }], 'Where?'),
  addFact: (ana) => ana.addFact('The user keeps bees.', { evidence: ['t1'] }),
  listMemories: (ana) => ana.memories({ forms: ['fact'] }),
  getMemory: (ana) => ana.memory('m1'),
  getMemoryHistory: (ana) => ana.history('m1'),
  getMemoryLife: (ana) => ana.life('m1'),
  editMemory: (ana) => ana.edit('m1', { text: 'I keep two hives.' }),
  forgetMemory: (ana) => ana.forget('m1'),
  forgetAbout: (ana) => ana.forgetAbout('bees', { dryRun: true }),
  pinMemory: (ana) => ana.pin('m1'),
  unpinMemory: (ana) => ana.unpin('m1'),
  restoreMemory: (ana) => ana.restore('m1'),
  listBlocks: (ana) => ana.blocks(),
  writeBlock: (ana) => ana.writeBlock('tasks', 'feed the bees', { limit: 500 }),
  editBlock: (ana) => ana.editBlock('tasks', { insert: 'buy sugar' }),
  listInstructions: (ana) => ana.instructions(),
  listPendingRequests: (ana) => ana.pendingRequests(),
  confirmRequest: (ana) => ana.confirmRequest('t1'),
  undoOperation: (ana) => ana.undo('o1'),
  listOperations: (ana) => ana.operations({ kinds: ['add'] }),
  listQuarantine: (ana) => ana.quarantine(),
  releaseMemory: (ana) => ana.release('m1'),
  getPersona: (ana) => ana.persona(),
  getProfile: (ana) => ana.profile(),
  listEntities: (ana) => ana.entities(),
  about: (ana) => ana.about('Mia', { depth: 2 }),
  listDue: (ana) => ana.due({ from: '2026-03' }),
  getStory: (ana) => ana.story(),
  getPortrait: (ana) => ana.portrait(),
  getScopeStats: (ana) => ana.stats(),
  listScopeJobs: (ana) => ana.jobs(),
  retryScopeJobs: (ana) => ana.retryJobs(),
  listStates: (ana) => ana.states(),
  getState: (ana) => ana.state('goals'),
  listCategories: (ana) => ana.categories(),
  getGuidelines: (ana) => ana.guidelines(),
  setGuidelines: (ana) => ana.setGuidelines({ never: ['salary'] }),
  getConsent: (ana) => ana.consent(),
  setConsent: (ana) => ana.setConsent('refused'),
  listStrengths: (ana) => ana.strengths({ policy: 'lufy' }),
  runForgetting: (ana) => ana.runForgetting({ dryRun: true }),
  previewErasure: (ana) => ana.previewErasure({ turns: ['t1'] }),
  erase: (ana) => ana.erase({ turns: ['t1'] }),
  eraseScope: (ana) => ana.erase({ everything: true }),
  listErasures: (ana) => ana.erasures(),
  getErasure: (ana) => ana.erasure('e1'),
  createExportTicket: (ana) => ana.exportTicket(),
  exportScope: (ana) => ana.export(),
  listenToScope: (ana) => ana.events(),
  createWebhook: (_, all) => all.webhooks.create({ url: 'https://app.example.com/hooks' }),
  listWebhooks: (_, all) => all.webhooks.list(),
  getWebhook: (_, all) => all.webhooks.get('w1'),
  changeWebhook: (_, all) => all.webhooks.change('w1', { enabled: false }),
  removeWebhook: (_, all) => all.webhooks.remove('w1'),
  rotateWebhookSecret: (_, all) => all.webhooks.rotateSecret('w1'),
  listFailedMessages: (_, all) => all.webhooks.failed('w1'),
  replayFailedMessages: (_, all) => all.webhooks.replay('w1', ['msg_1']),
  getAccess: (_, all) => all.access(),
  listScopes: (_, all) => all.scopes(),
  getStats: (_, all) => all.stats(),
  listJobs: (_, all) => all.jobs(),
  retryJobs: (_, all) => all.retryJobs(),
  listen: (_, all) => all.events(),
  previewImport: (ana) => ana.previewImport('Ana: Hello'),
  importFile: (ana) => ana.importFile('Ana: Hello'),
  importScope: (_, all) => all.import('{}'),
}

/** What a call asked of the server, which refuses everything. */
async function askedBy(call: (ana: ScopeClient, all: KeepsakeClient) => unknown): Promise<string[]> {
  const asked: string[] = []
  const client = createKeepsakeClient({
    baseUrl: 'http://memory.test',
    fetch: (request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`)
      return Promise.resolve(new Response('{}', { status: 500 }))
    },
  })
  const answer = call(client.scope({ user: 'ana' }), client)
  const first = Symbol.asyncIterator in Object(answer) ? (answer as AsyncGenerator).next() : answer
  await expect(first).rejects.toThrow()
  return asked
}

describe('the client', () => {
  it('has a method for every route, and for none that there is not', () => {
    expect(Object.keys(CALLS).toSorted()).toEqual(ROUTES.map(({ id }) => id).toSorted())
  })

  it.each(ROUTES)('$id asks $at', async ({ id, at }) => {
    const call = CALLS[id]
    if (call === undefined) throw new Error(`no method asks ${id}`)
    expect(await askedBy(call)).toEqual([at])
  })
})
