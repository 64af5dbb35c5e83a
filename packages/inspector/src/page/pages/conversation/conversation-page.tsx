import { useState, type ReactNode } from 'react'
import type { Turn } from '@keepsake/client'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import type { PersonProps } from '../../address/address.ts'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import { MemoryPanel } from './beside.tsx'
import { Composer } from './composer.tsx'
import type { Exchange } from './exchange.ts'
import { Thread, type Chosen } from './thread.tsx'
import { useTalk } from './use-talk.ts'
import CONVERSATION from './words.json' with { type: 'json' }
import './conversation.css'
import { useAction } from '../../parts/use-action.ts'

export default function ConversationPage({ person }: PersonProps): ReactNode {
  const { texts } = useTexts()
  const labels = usePageTexts(CONVERSATION)
  const talk = useTalk(person)
  const [chosen, choose] = useState<Chosen | null>(null)
  const say = async (text: string): Promise<boolean> => {
    choose(null)
    return talk.say(text)
  }
  const shown: Exchange | Turn | null = find(talk.exchanges, chosen)
  const lead = !talk.maySpeak ? labels.leadReadOnly : talk.isAnswered ? labels.lead : labels.leadNoModel
  return (
    <Page
      title={texts.conversation.title}
      lead={lead}
      actions={talk.maySpeak && <EndSession person={person} />}
    >
      <div className="talk">
        <div className="talk-said">
          <Thread person={person} talk={talk} shown={shown} choose={choose} />
          <Composer talk={talk} say={say} />
        </div>
        <MemoryPanel person={person} shown={shown} exchanges={talk.exchanges} />
      </div>
    </Page>
  )
}

function find(exchanges: readonly Exchange[], chosen: Chosen | null): Exchange | Turn | null {
  if (chosen === null) return exchanges.at(-1) ?? null
  if ('turn' in chosen) return chosen.turn
  return exchanges.find(({ id }) => id === chosen.exchange) ?? null
}

function EndSession({ person }: PersonProps): ReactNode {
  const labels = usePageTexts(CONVERSATION)
  const { act, isActing } = useAction(person, {
    run: (scope) => scope.endSession(),
    done: () => labels.ended,
  })
  return (
    <Button onClick={() => act()} disabled={isActing}>
      {labels.end}
    </Button>
  )
}
