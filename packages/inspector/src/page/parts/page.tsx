import { useEffect, useRef, type ReactNode } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { useTexts } from '../words/language.tsx'

interface PageProps {
  readonly title: ReactNode
  /** The title in the browser's tab, if `title` is not a text. */
  readonly tab?: string
  /** A sentence below the title. */
  readonly lead?: ReactNode
  /** Actions on the whole page, shownPages next to the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** Number of pages shownPages before this one. On the first page the browser sets the focus itself. */
let shownPages = 0

/** A page: its title, which takes the focus so that it is announced, its introduction, and its content. */
export function Page({ title, tab, lead, actions, children }: PageProps): ReactNode {
  const { texts } = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  const path = usePathname()
  const name = tab ?? (typeof title === 'string' ? title : '')
  useEffect(() => {
    document.title = name === '' ? texts.shell.title : `${name} · ${texts.shell.title}`
  }, [name, texts])
  useEffect(() => {
    if (shownPages > 0) heading.current?.focus({ preventScroll: true })
    shownPages += 1
  }, [path])
  return (
    <>
      <header className="heading">
        <div className="row">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {actions !== undefined && <div className="row">{actions}</div>}
        </div>
        {lead !== undefined && <p className="lead">{lead}</p>}
      </header>
      {children}
    </>
  )
}

interface SectionProps {
  readonly title: string
  /** A sentence below the title. */
  readonly hint?: string
  /** `section` is set off by a line above, `stack` is not. */
  readonly className?: string
  readonly children?: ReactNode
}

/** A part of a page under its own title. */
export function Section({ title, hint, className = 'section', children }: SectionProps): ReactNode {
  return (
    <section className={className}>
      <h2>{title}</h2>
      {hint !== undefined && <p className="quiet">{hint}</p>}
      {children}
    </section>
  )
}
