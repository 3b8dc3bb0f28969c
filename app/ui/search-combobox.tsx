import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { IconButton, Spinner } from './button'
import { classNames } from './element'
import { useEarlyInput } from './field'
import type { IconName } from './icon'
import { Icon } from './icon'
import styles from './search-combobox.module.css'
import { VisuallyHidden } from './visibility'

interface SearchSuggestion {
  /** Unique among all suggestions. */
  value: string
  label: string
  /** Rendered in place of the label. */
  text?: ReactNode
  /** The second line: a category, a year. */
  hint?: ReactNode
  icon?: IconName | undefined
  /** A small 16:9 Picture. */
  thumb?: ReactNode
}

export interface SearchGroup {
  key: string
  /** "Recent searches", "Products". */
  label?: string | undefined
  suggestions: readonly SearchSuggestion[]
}

export interface SearchComboboxProps {
  /** The form's action and field name without JavaScript. */
  action: string
  name: string
  value: string
  onValueChange: (value: string) => void
  /** The suggestions. An empty list closes the listbox. */
  groups: readonly SearchGroup[]
  onChoose: (suggestion: SearchSuggestion) => void
  /** Called for Enter without a selected suggestion. Without it the form is submitted. */
  onSearch?: ((value: string) => void) | undefined
  loading?: boolean | undefined
  /** Shown for input without suggestions: "No results found". */
  emptyText?: string | undefined
  labels: {
    field: string
    placeholder: string
    clear: string
    /** Announced with new suggestions: "5 suggestions". */
    count: (count: number) => string
  }
  /** The field of the search page. */
  large?: boolean | undefined
  /** In the mobile overlay, where the suggestions are always open. */
  inSheet?: boolean | undefined
}

/** Whether the listbox is shown, which of its options is active, and the keys that change both. */
function useListbox(
  { value, onValueChange, groups, onChoose, loading, emptyText, inSheet }: SearchComboboxProps,
  idPrefix: string,
) {
  const [open, setOpen] = useState(false)
  // The value of the active suggestion: it stays active when others arrive before it.
  const [active, setActive] = useState<string>()
  const suggestions = groups.flatMap((group) => group.suggestions)
  const indexOf = (value: string | undefined) => suggestions.findIndex((suggestion) => suggestion.value === value)
  const showEmpty = Boolean(emptyText) && !loading && value.trim() !== '' && suggestions.length === 0
  const shown = Boolean(open || inSheet) && (suggestions.length > 0 || showEmpty)
  const chosen = shown ? suggestions[indexOf(active)] : undefined

  const close = () => {
    setOpen(false)
    setActive(undefined)
  }
  const choose = (suggestion: SearchSuggestion) => {
    close()
    onChoose(suggestion)
  }
  const walk = (step: 1 | -1) => {
    setOpen(true)
    // One position besides the options is the field itself.
    const places = suggestions.length + 1
    setActive((before) => suggestions[((indexOf(before) + 1 + step + places) % places) - 1]?.value)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    // During IME composition, Enter and the arrow keys belong to the input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      walk(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      choose(chosen)
    } else if (event.key === 'Escape' && ((shown && !inSheet) || value !== '')) {
      event.preventDefault()
      if (shown && !inSheet) close()
      else onValueChange('')
    }
  }
  return {
    count: suggestions.length,
    shown,
    showEmpty,
    chosen,
    choose,
    press,
    close,
    open: () => setOpen(true),
    reset: () => setActive(undefined),
    point: (suggestion: SearchSuggestion) => setActive(suggestion.value),
    optionId: (suggestion: SearchSuggestion) => `${idPrefix}-${indexOf(suggestion.value)}`,
  }
}

/** A search field with suggestions: a form with a combobox and listbox. */
export function SearchCombobox(props: SearchComboboxProps) {
  const { action, name, value, onValueChange, groups, onSearch, loading, emptyText, labels, large, inSheet } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const listbox = useListbox(props, id)
  const { shown, chosen } = listbox
  useEarlyInput(() => {
    if (input.current && input.current.value !== value) onValueChange(input.current.value)
  })

  const submit = (event: FormEvent) => {
    listbox.close()
    if (!onSearch) return
    event.preventDefault()
    onSearch(value.trim())
  }

  return (
    <search
      className={classNames(styles.search, large && styles.large, inSheet && styles.inSheet)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && listbox.close()}
    >
      <form action={action} onSubmit={submit}>
        <div className={styles.frame}>
          <span className={styles.mark}>
            <Icon name="search" size="m" />
          </span>
          <input
            ref={input}
            className={styles.input}
            type="text"
            inputMode="search"
            name={name}
            value={value}
            placeholder={labels.placeholder}
            aria-label={labels.field}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={shown}
            aria-controls={shown ? `${id}-list` : undefined}
            aria-activedescendant={chosen && listbox.optionId(chosen)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            onChange={(event) => {
              onValueChange(event.target.value)
              listbox.open()
              listbox.reset()
            }}
            onFocus={listbox.open}
            onKeyDown={listbox.press}
          />
          {loading ? (
            <span className={styles.waiting}>
              <Spinner size="s" />
            </span>
          ) : (
            value !== '' && (
              <IconButton
                icon="close"
                label={labels.clear}
                size="s"
                round
                className={styles.clear}
                onClick={() => {
                  onValueChange('')
                  input.current?.focus()
                }}
              />
            )
          )}
        </div>
      </form>
      {shown && (
        <div className={styles.panel}>
          {listbox.showEmpty && <p className={styles.nothing}>{emptyText}</p>}
          {/* The field keeps the focus and names the active option. */}
          <div id={`${id}-list`} role="listbox" aria-label={labels.field} tabIndex={-1}>
            {groups.map((group) => (
              <SuggestionGroup
                key={group.key}
                group={group}
                chosen={chosen}
                optionId={listbox.optionId}
                onChoose={listbox.choose}
                onPoint={listbox.point}
              />
            ))}
          </div>
        </div>
      )}
      <span role="status">
        <VisuallyHidden>{shown && (listbox.count > 0 ? labels.count(listbox.count) : emptyText)}</VisuallyHidden>
      </span>
    </search>
  )
}

interface SuggestionGroupProps {
  group: SearchGroup
  chosen: SearchSuggestion | undefined
  optionId: (suggestion: SearchSuggestion) => string
  onChoose: (suggestion: SearchSuggestion) => void
  onPoint: (suggestion: SearchSuggestion) => void
}

function SuggestionGroup({ group, chosen, optionId, onChoose, onPoint }: SuggestionGroupProps) {
  if (group.suggestions.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a listbox holds options and groups, no fieldset.
    <div role="group" aria-label={group.label}>
      {group.label && (
        <p className={styles.heading} aria-hidden>
          {group.label}
        </p>
      )}
      {group.suggestions.map((suggestion) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        <div
          key={suggestion.value}
          id={optionId(suggestion)}
          role="option"
          tabIndex={-1}
          aria-selected={suggestion === chosen}
          className={styles.option}
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => suggestion !== chosen && onPoint(suggestion)}
          onClick={() => onChoose(suggestion)}
        >
          {suggestion.icon && <Icon name={suggestion.icon} size="m" />}
          {suggestion.thumb && <span className={styles.thumb}>{suggestion.thumb}</span>}
          <span className={styles.optionText}>
            {/* A label has its own direction; it is truncated at its end. */}
            <span className={styles.optionLabel}>{suggestion.text ?? <bdi>{suggestion.label}</bdi>}</span>
            {suggestion.hint && <span className={styles.optionHint}>{suggestion.hint}</span>}
          </span>
        </div>
      ))}
    </div>
  )
}
