import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { type CommentState, commentState } from '#contract/enumerations.ts'
import { Button } from '~/ui/button'
import { useSearchChange } from '../../platform/search'
import { ChoiceField, DayRange, Filters, SearchField } from '../../ui/filters'
import { type Statuses, statusChoices } from '../../ui/status'
import { ProductFilter } from '../catalog/product-filter'

const route = getRouteApi('/comments/all')

/** How a state of a comment is shown. */
export const commentStates = {
  SHOWN: { label: msg`Published`, tone: 'success' },
  HELD: { label: msg`Held`, tone: 'warning' },
  HIDDEN: { label: msg`Hidden`, tone: 'neutral' },
  DELETED: { label: msg`Deleted by its author`, tone: 'neutral' },
} as const satisfies Statuses<CommentState>

/** What the list of all comments is filtered by. */
export function CommentFilters() {
  const { t, i18n } = useLingui()
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const find = useCallback((q: string) => change({ q: q || undefined }), [change])
  return (
    <Filters folds>
      <SearchField label={t`Words in the text`} value={search.q ?? ''} onSearch={find} />
      <ChoiceField
        label={t`Status`}
        value={search.state}
        choices={statusChoices(i18n, commentState.options, commentStates)}
        onChange={(state) => change({ state })}
      />
      <ChoiceField
        label={t`Reports`}
        value={search.reported}
        choices={[
          { value: 'OPEN', label: t`Undecided` },
          { value: 'ANY', label: t`Reported` },
        ]}
        onChange={(reported) => change({ reported })}
      />
      <DayRange from={search.from} to={search.to} onFrom={(from) => change({ from })} onTo={(to) => change({ to })} />
      <ProductFilter value={search.product} onChange={(product) => change({ product })} />
      {search.memberId && (
        <Button variant="outline" iconEnd="close" onClick={() => change({ memberId: undefined })}>
          <Trans>One member</Trans>
        </Button>
      )}
    </Filters>
  )
}
