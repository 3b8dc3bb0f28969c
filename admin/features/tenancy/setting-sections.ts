import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { companyFields, memberFields, salesFields, storeFields } from './setting-fields'

interface SettingSection {
  /** The end of its address. */
  id: string
  title: MessageDescriptor
  /** The names of its settings. */
  names: readonly MessageDescriptor[]
}

const namesOf = (fields: readonly { label: MessageDescriptor }[]) => fields.map(({ label }) => label)

/** The sections of the page of settings, in the order of their links. */
export const settingSections = [
  { id: 'store', title: msg`Store`, names: namesOf(storeFields) },
  { id: 'company', title: msg`Company`, names: namesOf(companyFields) },
  { id: 'sales', title: msg`Sales`, names: namesOf(salesFields) },
  { id: 'members', title: msg`Members and comments`, names: namesOf(memberFields) },
  {
    id: 'redirects',
    title: msg`Redirects`,
    names: [msg`Old address`, msg`New address`, msg`Permanent (301)`, msg`Other sites`],
  },
  {
    id: 'look',
    title: msg`Look`,
    names: [msg`Color of buttons and links`, msg`Pages`, msg`Corners`, msg`Typeface`],
  },
  {
    id: 'pictures',
    title: msg`Pictures`,
    names: [msg`Logo`, msg`Logo for dark pages`, msg`Icon of the browser’s tab`, msg`Picture of shared links`],
  },
  {
    id: 'languages',
    title: msg`Languages and formats`,
    names: [msg`Languages`, msg`Default language`, msg`Time zone`, msg`Dates`, msg`Currency`],
  },
] as const satisfies readonly SettingSection[]

export type SettingSectionId = (typeof settingSections)[number]['id']
