import { useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { directionOf } from '#contract/direction.ts'
import { type Locale, locale } from '#contract/enumerations.ts'
import { TextField } from '~/ui/text-field'
import { useSettings } from '../platform/settings'
import { storeLanguages } from './store-languages'

/** Texts by language and name, as the API has them. */
type TextsByLanguage<Name extends string> = Readonly<Partial<Record<Locale, Readonly<Partial<Record<Name, string>>>>>>

/** The shape of texts by language, as a draft of a form keeps them. */
export const textsByLanguage = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z.partialRecord(locale, z.partialRecord(z.enum(names), z.string()))

interface TranslatedFieldsProps<Name extends string> {
  /** What is translated, such as “Name”. */
  label: string
  name: Name
  values: TextsByLanguage<Name>
  maxLength: number
  onChange: (values: TextsByLanguage<Name>) => void
}

/** A text in each further language of the store. An empty one is shown in the store’s own. */
export function TranslatedFields<Name extends string>(props: TranslatedFieldsProps<Name>) {
  const { label, name, values, maxLength, onChange } = props
  const { t } = useLingui()
  const { locale, locales } = useSettings().base
  const others = locales.filter((language) => language !== locale)
  return others.map((language) => {
    const languageName = storeLanguages[language]
    return (
      <TextField
        key={language}
        label={t`${label} (${languageName})`}
        value={values[language]?.[name] ?? ''}
        maxLength={maxLength}
        lang={language}
        dir={directionOf(language)}
        onChange={({ target }) =>
          // The name is one of the texts, which a computed key does not say.
          onChange({ ...values, [language]: { ...values[language], [name]: target.value } } as TextsByLanguage<Name>)
        }
      />
    )
  })
}
