import { createContext, use, useState, type ReactNode } from 'react'
import { useTexts } from '../words/language.tsx'
import { Button } from './button.tsx'

/** A completed action, and its undo. */
export interface Notice {
  readonly text: string
  readonly undo?: () => void
}

const NoticeContext = createContext<((notice: Notice) => void) | null>(null)

/** Shows the latest notice until it is dismissed or replaced; screen readers announce it. */
export function NoticeProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const { texts } = useTexts()
  const [notice, setNotice] = useState<Notice | null>(null)
  const undo = (): void => {
    setNotice(null)
    notice?.undo?.()
  }
  return (
    <NoticeContext value={setNotice}>
      {children}
      <div className="toast" role="status">
        {notice !== null && (
          <div>
            <span>{notice.text}</span>
            {notice.undo !== undefined && <Button onClick={undo}>{texts.states.undo}</Button>}
            <Button onClick={() => setNotice(null)}>{texts.states.dismiss}</Button>
          </div>
        )}
      </div>
    </NoticeContext>
  )
}

/** Returns a function that shows a notice. */
export function useNotify(): (notice: Notice) => void {
  const notify = use(NoticeContext)
  if (notify === null) throw new Error('useNotify() is called outside NoticeProvider')
  return notify
}
