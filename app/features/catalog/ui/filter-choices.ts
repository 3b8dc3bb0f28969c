import type { MessageDescriptor } from '@lingui/core'
import { durationRanges, type SearchAnswer } from '#contract/catalog.ts'
import type { TextLanguages } from '#contract/translations.ts'
import { durationLabels, wayLabels } from '../labels'
import { wayNames, waysToWatch } from '../products.search'

export interface Choice {
  value: string
  label: string
  languages?: TextLanguages
  /** How many products it would leave. */
  count: number
}

type Facets = SearchAnswer['facets']
type Say = (message: MessageDescriptor) => string

const mostTags = 14

const countIn = (facet: Facets[keyof Facets], value: string) => facet.find((one) => one.value === value)?.count ?? 0

export const wayChoices = (facets: Facets, say: Say): Choice[] =>
  wayNames.map((value) => ({
    value,
    label: say(wayLabels[value]),
    count: waysToWatch[value].reduce((sum, access) => sum + countIn(facets.access, access), 0),
  }))

export const durationChoices = (facets: Facets, say: Say): Choice[] =>
  durationRanges.map((value) => ({
    value,
    label: say(durationLabels[value]),
    count: countIn(facets.duration, value),
  }))

export const tagChoices = (facets: Facets): Choice[] => facets.tag.slice(0, mostTags)
