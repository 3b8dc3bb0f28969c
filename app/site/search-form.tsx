import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useId } from 'react'
import { Icon } from '~/ui/icon'
import { VisuallyHidden } from '~/ui/visually-hidden'
import styles from './search-form.module.css'

/** The search box: a plain form that leads to the list of products. */
export function SearchForm({ className }: { className?: string | undefined }) {
  const { t } = useLingui()
  const id = useId()
  const navigate = useNavigate()
  const q = useSearch({ strict: false, select: (search): string | undefined => (search as { q?: string }).q })
  return (
    <search className={className}>
      <form
        action="/products"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          const typed = String(new FormData(event.currentTarget).get('q') ?? '').trim()
          void navigate({ to: '/products', search: typed ? { q: typed } : {} })
        }}
      >
        <label htmlFor={id}>
          <VisuallyHidden>
            <Trans>Search the store</Trans>
          </VisuallyHidden>
          <Icon name="search" size="m" className={styles.icon} />
        </label>
        <input
          key={q}
          id={id}
          name="q"
          type="search"
          defaultValue={q}
          maxLength={100}
          placeholder={t`Titles, people, subjects`}
          autoComplete="off"
          enterKeyHint="search"
          className={styles.input}
        />
      </form>
    </search>
  )
}
