import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import * as z from 'zod/mini'
import { directionOf } from '#contract/direction.ts'
import { type Locale, locale } from '#contract/enumerations.ts'
import { Button } from '~/ui/button'
import { useSettings } from '../platform/settings'
import form from './form.module.css'
import { storeLanguages } from './store-languages'
import { lengthOf, TextArea, TextField } from './text-field'

/** Texts by language and name, as the API has them. */
type TextsByLanguage<Name extends string> = Readonly<Partial<Record<Locale, Readonly<Partial<Record<Name, string>>>>>>

/** The shape of texts by language, as a draft of a form keeps them. */
export const textsByLanguage = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z.partialRecord(locale, z.partialRecord(z.enum(names), z.string()))

interface TranslatedText<Name extends string> {
  name: Name
  /** What is translated, such as “Name”. */
  label: string
  /** The text in the store’s own language. One that is empty needs no translation. */
  own: string
  maxLength: number
  /** Lines of a longer text. */
  rows?: number
}

interface TranslatedFieldsProps<Name extends string> {
  texts: readonly TranslatedText<Name>[]
  values: TextsByLanguage<Name>
  onChange: (values: TextsByLanguage<Name>) => void
  errors?: Readonly<Record<string, string | undefined>> | undefined
  /** The beginning of the names of its errors, with the dot; empty for those of a form. */
  path?: string
}

/**
 * The texts of a row in each further language of the store, folded behind a button that says how
 * many languages have all of them. They are opened when one has an error. An empty text is shown in
 * the store’s own language.
 */
export function TranslatedFields<Name extends string>(props: TranslatedFieldsProps<Name>) {
  const { texts, values, onChange, errors = {}, path = '' } = props
  const { t } = useLingui()
  const id = useId()
  const [isUnfolded, setUnfolded] = useState(false)
  const { locale, locales } = useSettings().base
  const others = locales.filter((language) => language !== locale)
  if (others.length === 0) return null
  const textIn = (language: Locale, name: Name) => values[language]?.[name] ?? ''
  const errorOf = (language: Locale, name: Name) => {
    const field = `${path}translations.${language}`
    return errors[`${field}.${name}`] ?? errors[field]
  }
  const needed = texts.filter(({ own }) => own !== '')
  const translated = others.filter(
    (language) => needed.length > 0 && needed.every(({ name }) => textIn(language, name) !== ''),
  )
  const isWrong = others.some((language) =>
    texts.some(({ name, maxLength }) => errorOf(language, name) || lengthOf(textIn(language, name)) > maxLength),
  )
  // They stay open when the error goes: the caret may be in one of them.
  if (isWrong && !isUnfolded) setUnfolded(true)
  const [done, all] = [translated.length, others.length]
  return (
    <div className={form.translations}>
      <Button
        size="s"
        variant="ghost"
        icon={isUnfolded ? 'chevron-up' : 'chevron-down'}
        aria-expanded={isUnfolded}
        aria-controls={id}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        <Trans>
          Translations {done} of {all}
        </Trans>
      </Button>
      <div id={id} className={form.fields} hidden={!isUnfolded}>
        {isUnfolded &&
          others.flatMap((language) =>
            texts.map(({ name, label, maxLength, rows }) => {
              const languageName = storeLanguages[language]
              const shared = {
                label: t`${label} (${languageName})`,
                value: textIn(language, name),
                maxLength,
                lang: language,
                dir: directionOf(language),
                error: errorOf(language, name),
                onChange: ({ target }: { target: { value: string } }) =>
                  // The name is one of the texts, which a computed key does not say.
                  onChange({
                    ...values,
                    [language]: { ...values[language], [name]: target.value },
                  } as TextsByLanguage<Name>),
              }
              const key = `${language} ${name}`
              return rows ? <TextArea key={key} {...shared} rows={rows} /> : <TextField key={key} {...shared} />
            }),
          )}
      </div>
    </div>
  )
}
