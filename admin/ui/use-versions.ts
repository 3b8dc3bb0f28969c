import type { QueryKey } from '@tanstack/react-query'
import type { Locale } from '#contract/enumerations.ts'
import type { Permission } from '#contract/permissions.ts'
import { useMay } from '../platform/session'
import type { ContentText } from './content-form'
import type { Versions } from './history'
import { changeOf, versionTexts } from './versions'

type Change<Name extends string> = Partial<Record<Name, string>> &
  Pick<ReturnType<typeof changeOf<Name>>, 'translations'>

interface VersionsInput<Name extends string> {
  permission?: Permission
  texts: readonly ContentText<Name>[]
  /** The present texts in the store's own language. */
  values: Readonly<Record<Name, string | null>>
  translations: Readonly<Partial<Record<Locale, Partial<Record<string, string>>>>>
  queryKey: QueryKey
  changes: readonly QueryKey[]
  /** Sends a change of the API. */
  send: (change: Change<Name>) => Promise<unknown>
}

/** The versions of an object's texts, for its history. */
export const useVersions = <Name extends string>(input: VersionsInput<Name>): Versions => {
  const { permission = 'content:write', texts, values, translations, queryKey, changes, send } = input
  const isAllowed = useMay()(permission)
  const names = texts.map(({ name }) => name)
  return {
    texts,
    now: versionTexts(names, values, translations),
    queryKey,
    changes,
    restore: isAllowed
      ? (restored) => {
          const { own, translations: translated } = changeOf(names, restored)
          return send({ ...own, translations: translated })
        }
      : null,
  }
}
