import { useState, type ReactNode, useRef, type FormEvent, type KeyboardEvent } from 'react'
import type { Turn } from '@keepsake/client'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import type { PersonProps } from '../../address/address.ts'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import { MemoryPanel } from './memory-panel.tsx'
import type { Exchange } from './exchange.ts'
import { Thread, type Chosen } from './thread.tsx'
import { useTalk, type Talk } from './use-talk.ts'
import CONVERSATION from './words.json' with { type: 'json' }
import { useAction } from '../../parts/use-action.ts'
import './conversation.css'

export default function ConversationPage({ person }: PersonProps): ReactNode {
  const { texts } = useTexts()
  const labels = usePageTexts(CONVERSATION)
  const talk = useTalk(person)
  const [chosen, choose] = useState<Chosen | null>(null)
  const say = async (text: string): Promise<boolean> => {
    choose(null)
    return talk.say(text)
  }
  const shown: Exchange | Turn | null = findShown(talk.exchanges, chosen)
  const writableLead = talk.isAnswered ? labels.lead : labels.leadNoModel
  const lead = talk.maySpeak ? writableLead : labels.leadReadOnly
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

function findShown(exchanges: readonly Exchange[], chosen: Chosen | null): Exchange | Turn | null {
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

interface ComposerProps {
  readonly talk: Talk
  readonly say: (text: string) => Promise<boolean>
}

/** The message field. A message that could not be sent is restored. */
function Composer({ talk, say }: ComposerProps): ReactNode {
  const labels = usePageTexts(CONVERSATION)
  const form = useRef<HTMLFormElement>(null)
  const [text, setText] = useState('')
  const [isUnsent, setUnsent] = useState(false)
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const message = text.trim()
    if (message === '' || talk.isBusy) return
    setText('')
    setUnsent(false)
    if (await say(message)) return
    setUnsent(true)
    setText((now) => (now === '' ? message : now))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // A key that ends the input of a Chinese word does not send.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    form.current?.requestSubmit()
  }
  const name = talk.maySpeak ? labels.say : labels.ask
  return (
    <form className="talk-composer" ref={form} onSubmit={(event) => void send(event)}>
      <textarea
        className="input"
        rows={2}
        aria-label={name}
        placeholder={name}
        aria-describedby="talk-keys"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {isUnsent && (
        <p className="problem" role="alert">
          {labels.unsent}
        </p>
      )}
      <div className="row talk-tools">
        <span id="talk-keys" className="small quiet">
          {labels.keys}
        </span>
        <Button tone="main" type="submit" disabled={talk.isBusy}>
          {talk.maySpeak ? labels.send : labels.asking}
        </Button>
      </div>
      {talk.maySpeak && (
        <label className="talk-forgetful">
          <input
            type="checkbox"
            checked={talk.isForgetful}
            onChange={(event) => talk.setForgetful(event.target.checked)}
          />
          <span>
            {labels.forgetful}
            {talk.isForgetful && <span className="small quiet"> · {labels.forgetfulHint}</span>}
          </span>
        </label>
      )}
    </form>
  )
}
