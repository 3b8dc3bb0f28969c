import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { MemberState } from '#contract/enumerations.ts'
import { useAdminApi } from '../../platform/admin-api'
import { useSearchChange } from '../../platform/search'
import { ChoiceField, DayRange, Filters, SearchField } from '../../ui/filters'
import { memberFacetsQuery, tagsQuery } from './members.queries'

const route = getRouteApi('/members')

/** What the list of members is filtered and sorted by. */
export function MemberFilters() {
  const { t } = useLingui()
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const find = useCallback((q: string) => change({ q: q || undefined }), [change])
  const { items: tags = [] } = useQuery(tagsQuery(useAdminApi())).data ?? {}
  const { plans = [], partners = [] } = useQuery(memberFacetsQuery(useAdminApi())).data ?? {}
  const states: readonly { value: MemberState; label: string }[] = [
    { value: 'ACTIVE', label: t`Active` },
    { value: 'BLOCKED', label: t`Blocked` },
    { value: 'LEFT', label: t`Account deleted` },
  ]
  return (
    <Filters folds>
      <SearchField label={t`Name, email or phone number`} value={search.q ?? ''} onSearch={find} />
      <ChoiceField
        label={t`Status`}
        all={t`Active and blocked`}
        value={search.state}
        choices={states}
        onChange={(state) => change({ state })}
      />
      {(tags.length > 0 || search.tag) && (
        <ChoiceField
          label={t`Tag`}
          value={search.tag}
          choices={tags.map(({ tag, members }) => ({ value: tag, label: `${tag} (${members})` }))}
          onChange={(tag) => change({ tag })}
        />
      )}
      {(plans.length > 0 || search.plan) && (
        <ChoiceField
          label={t`Plan`}
          value={search.plan}
          choices={plans.map(({ code, name }) => ({ value: code, label: name }))}
          onChange={(plan) => change({ plan })}
        />
      )}
      {(partners.length > 0 || search.partner) && (
        <ChoiceField
          label={t`Partnership`}
          value={search.partner}
          choices={partners.map(({ name, members }) => ({ value: name, label: `${name} (${members})` }))}
          onChange={(partner) => change({ partner })}
        />
      )}
      <ChoiceField
        label={t`Marketing emails`}
        value={search.marketing}
        choices={[
          { value: 'YES' as const, label: t`Agreed` },
          { value: 'NO' as const, label: t`Not agreed` },
        ]}
        onChange={(marketing) => change({ marketing })}
      />
      <DayRange
        from={search.from}
        to={search.to}
        labels={{ from: t`Joined from`, to: t`Joined until` }}
        onFrom={(from) => change({ from })}
        onTo={(to) => change({ to })}
      />
      <ChoiceField
        label={t`Sort`}
        isSort
        all={t`Latest first`}
        value={search.sort === 'JOINED' ? undefined : search.sort}
        choices={[
          { value: 'NAME' as const, label: t`By name` },
          { value: 'SEEN' as const, label: t`Last seen first` },
        ]}
        onChange={(sort) => change({ sort })}
      />
    </Filters>
  )
}
