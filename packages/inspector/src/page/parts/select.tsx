// A selection of one of several options, as all pages show it.
import { useId, type ReactNode } from 'react'

interface SelectProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly (readonly [value: Value, text: string])[]
  readonly choose: (value: Value) => void
  /** Whether the label is only for screen readers, as in a toolbar. */
  readonly isBare?: boolean
}

export function Select<Value extends string>(props: SelectProps<Value>): ReactNode {
  const { label, value, options, choose, isBare = false } = props
  const id = useId()
  const select = (
    <select
      id={id}
      className={isBare ? 'input small' : 'input'}
      aria-label={isBare ? label : undefined}
      value={value}
      onChange={(event) => choose(event.target.value as Value)}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  )
  if (isBare) return select
  return (
    <div className="row">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {select}
    </div>
  )
}
