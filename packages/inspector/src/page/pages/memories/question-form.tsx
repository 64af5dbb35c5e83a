import { useEffect, useRef, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { readField } from '../../parts/read-field.ts'
import { useTexts } from '../../words/language.tsx'

interface QuestionFormProps {
  readonly question: string
  /** An empty one goes back to the list. */
  readonly ask: (question: string) => void
}

/** Asks a question. `/` focuses the field from anywhere on the page. */
export function QuestionForm({ question, ask }: QuestionFormProps): ReactNode {
  const { texts } = useTexts()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || isTyping(event.target)) return
      event.preventDefault()
      field.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    ask(readField(event.currentTarget, 'question'))
  }
  return (
    <form className="question" role="search" onSubmit={submit}>
      <label className="hidden" htmlFor="question">
        {texts.memories.question}
      </label>
      <input
        key={question}
        ref={field}
        className="input"
        id="question"
        name="question"
        type="search"
        placeholder={texts.memories.questionHint}
        defaultValue={question}
        autoComplete="off"
      />
      <Button tone="main" type="submit">
        {texts.memories.ask}
      </Button>
      {question !== '' && <Button onClick={() => ask('')}>{texts.memories.toList}</Button>}
    </form>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}
