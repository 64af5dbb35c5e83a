import { useRef, useState } from 'react'
import type { RememberResult, ScopeClient, TurnInput } from '@keepsake/client'
import { useQueryClient } from '@tanstack/react-query'
import type { Person } from '../../address/address.ts'
import { wholePersonKey } from '../../session/queries.ts'
import { useSpeakers } from '../../session/person-queries.ts'
import { useMay, useScope, useSession } from '../../session/session.tsx'
import { beginExchange, turnsOf, type Exchange } from './exchange.ts'

/** A conversation with the memory. */
export interface Talk {
  readonly exchanges: readonly Exchange[]
  readonly isBusy: boolean
  /** Whether a language model answers. */
  readonly isAnswered: boolean
  readonly maySpeak: boolean
  readonly isForgetful: boolean
  readonly setForgetful: (isForgetful: boolean) => void
  /** Sends a message. Resolves to `false` on failure. */
  readonly say: (text: string) => Promise<boolean>
}

type ChangeExchange = (change: Partial<Exchange>) => void

/** Sends messages and tracks their outcomes. A forgetful conversation is answered from memory and stores nothing. */
export function useTalk(person: Person): Talk {
  const scope = useScope(person)
  const { user: speaker } = useSpeakers(person)
  const queries = useQueryClient()
  const maySpeak = useMay('write', person)
  const isAnswered = useSession().access.model !== null && maySpeak
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([])
  const [isForgetful, setForgetful] = useState(false)
  const count = useRef(0)
  const isBusy = exchanges.some(({ state }) => state === 'open')
  const say = async (message: string): Promise<boolean> => {
    const isKept = maySpeak && !isForgetful
    const exchange = beginExchange(message, { id: (count.current += 1), isKept })
    const update: ChangeExchange = (change) =>
      setExchanges((all) => all.map((one) => (one.id === exchange.id ? { ...one, ...change } : one)))
    setExchanges((all) => [...all, exchange])
    const earlier = turnsOf(exchanges.filter((one) => !one.isKept))
    const turn: TurnInput = { role: 'user', text: message, ...(speaker === null ? {} : { speaker }) }
    try {
      await (isAnswered ? requestReply : recallOnly)(scope, { turn, earlier, isKept, update })
      update({ state: 'done' })
      return true
    } catch (error) {
      update({ state: 'failed', error })
      return false
    } finally {
      void queries.invalidateQueries({ queryKey: wholePersonKey(person) })
    }
  }
  return { exchanges, isBusy, isAnswered, maySpeak, isForgetful, setForgetful, say }
}

interface NewMessage {
  readonly turn: TurnInput
  /** Turns that were not stored. */
  readonly earlier: readonly TurnInput[]
  readonly isKept: boolean
  readonly update: ChangeExchange
}

async function requestReply(
  scope: ScopeClient,
  { turn, earlier, isKept, update }: NewMessage,
): Promise<void> {
  const turns = [...(isKept ? [] : earlier), turn]
  let reply = ''
  let remembered: RememberResult | null = null
  for await (const { event, data } of scope.reply(
    turns,
    isKept ? {} : { remember: false, reinforce: false },
  )) {
    if (event === 'recall') update({ recall: data, reply: '' })
    else if (event === 'text') update({ reply: (reply += data.text) })
    else remembered = data.remembered
  }
  update({ remembered })
}

/** Handles a message without a model. Recalls before it remembers, so that recall does not find the message itself. */
async function recallOnly(scope: ScopeClient, { turn, isKept, update }: NewMessage): Promise<void> {
  update({ recall: await scope.recall(turn.text, { reinforce: false }) })
  if (isKept) update({ remembered: await scope.remember(turn) })
}
