import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { durationRanges, type SearchAnswer } from '#contract/catalog.ts'
import type { ProductKind, SortOption } from '#contract/enumerations.ts'
import type { TextLanguages } from '#contract/translations.ts'
import { type AccessFilter, accessFilterNames, accessFilters } from './products.search'

export const filterPanelId = 'filters'
export const filterFormId = 'filter-form'

/** The sort orders with their labels. */
export const sortLabels: Readonly<Record<SortOption, MessageDescriptor>> = {
  'sort,DESC': msg`Recommended`,
  'createdAt,DESC': msg`Newest first`,
  'createdAt,ASC': msg`Oldest first`,
  'countOfPlays,DESC': msg({ message: 'Most played', context: 'sort' }),
  'countOfPlays,ASC': msg`Least played`,
  'countOfViews,DESC': msg`Most viewed`,
  'countOfViews,ASC': msg`Least viewed`,
  'duration,DESC': msg`Longest first`,
  'duration,ASC': msg`Shortest first`,
}

export const kindLabels: Readonly<Record<ProductKind, MessageDescriptor>> = {
  PAY: msg`Buy to own`,
  VOD: msg`Video on demand`,
  FREE: msg`Free`,
}

export const accessFilterLabels: Readonly<Record<AccessFilter, MessageDescriptor>> = {
  FREE: msg`Free`,
  BUY: msg`Buy or rent`,
  PLAN: msg`With a plan`,
}

/** The offered ranges of minutes. */
export const durationLabels: Readonly<Record<(typeof durationRanges)[number], MessageDescriptor>> = {
  '-10': msg`Up to 10 minutes`,
  '10-30': msg`10 to 30 minutes`,
  '30-60': msg`30 to 60 minutes`,
  '60-': msg`Over an hour`,
}

export interface Choice {
  value: string
  label: string
  languages?: TextLanguages
  /** The number of products with this filter. */
  count: number
}

type Facets = SearchAnswer['facets']
type Translate = (message: MessageDescriptor) => string

const maxTags = 14

const countIn = (facet: Facets[keyof Facets], value: string) =>
  facet.find((choice) => choice.value === value)?.count ?? 0

export const accessFilterChoices = (facets: Facets, translate: Translate): Choice[] =>
  accessFilterNames.map((value) => ({
    value,
    label: translate(accessFilterLabels[value]),
    count: accessFilters[value].reduce((sum, access) => sum + countIn(facets.access, access), 0),
  }))

export const durationChoices = (facets: Facets, translate: Translate): Choice[] =>
  durationRanges.map((value) => ({
    value,
    label: translate(durationLabels[value]),
    count: countIn(facets.duration, value),
  }))

export const tagChoices = (facets: Facets): Choice[] => facets.tag.slice(0, maxTags)
