import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react'
import { useWords } from '../words/language.tsx'
import { Button } from './button.tsx'

/** Something that was done, and what takes it back. */
export interface Told {
  readonly text: string
  readonly undo?: () => void
}

const ToldContext = createContext<((told: Told) => void) | null>(null)

/** Where the page tells what was done; read out by screen readers, and there until it is dismissed or the next comes. */
export function ToldProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const { words } = useWords()
  const [told, setTold] = useState<Told | null>(null)
  const tell = useCallback((next: Told) => setTold(next), [])
  const undo = (): void => {
    setTold(null)
    told?.undo?.()
  }
  return (
    <ToldContext value={tell}>
      {children}
      <div className="told" role="status">
        {told !== null && (
          <div>
            <span>{told.text}</span>
            {told.undo !== undefined && <Button onClick={undo}>{words.states.undo}</Button>}
            <Button onClick={() => setTold(null)}>{words.states.dismiss}</Button>
          </div>
        )}
      </div>
    </ToldContext>
  )
}

/** Tells the reader what was done. */
export function useTell(): (told: Told) => void {
  const tell = use(ToldContext)
  if (tell === null) throw new Error('useTell() is called outside ToldProvider')
  return useMemo(() => tell, [tell])
}
