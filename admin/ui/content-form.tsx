import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react'
import { Trans, useLingui as useTexts } from '@lingui/react/macro'
import type { QueryKey } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { directionOf } from '#contract/direction.ts'
import type { Locale } from '#contract/enumerations.ts'
import { type Permission, secondFactorPermissions } from '#contract/permissions.ts'
import { Button } from '~/ui/button'
import { useIsConfirmed, useMay } from '../platform/session'
import { useSettings } from '../platform/settings'
import { useWrite } from '../platform/use-write'
import { WriteRefusal } from './conflict'
import { onSubmit, type Texts } from './form'
import form from './form.module.css'
import { FormDraft, type HeldState } from './form-draft'
import { useFormKey } from './form-key'
import { HtmlField } from './html-field'
import styles from './html-field.module.css'
import { htmlOf } from './html-text'
import { Section } from './page'
import { SecondFactorNotice } from './read-only-notice'
import { storeLanguages } from './store-languages'
import { TextArea, TextField } from './text-field'
import { UnsavedChanges } from './unsaved-changes'

/** How a text of content is edited. */
export interface ContentText<Name extends string = string> {
  name: Name
  kind: 'line' | 'text' | 'html'
  label: MessageDescriptor
  hint?: MessageDescriptor
  maxLength: number
  isRequired?: boolean
}

/** The typed texts by the names of their fields, as the API takes them. */
export const textsIn = <Name extends string>(
  fields: readonly ContentText<Name>[],
  typed: Texts,
): Partial<Record<Name, string>> => {
  const texts: Partial<Record<Name, string>> = {}
  for (const { name, kind } of fields) {
    const text = typed[name]?.trim() ?? ''
    texts[name] = kind === 'html' ? htmlOf(text) : text
  }
  return texts
}

interface ContentTextsProps {
  permission?: Permission
  fields: readonly ContentText[]
  values: Readonly<Partial<Record<string, string | null>>>
  errors: Texts
  language?: Locale
}

/** The controls of texts; translations are never required. */
export function ContentTexts({ permission = 'content:write', fields, values, errors, language }: ContentTextsProps) {
  const { i18n } = useLingui()
  const isAllowed = useMay()(permission)
  return fields.map(({ name, kind, label, hint, maxLength, isRequired = false }) => {
    const shared = {
      name,
      label: i18n._(label),
      maxLength,
      defaultValue: values[name] ?? '',
      required: isRequired && language === undefined,
      error: errors[language ? `translations.${language}.${name}` : name],
    }
    if (kind === 'html') return <HtmlField key={name} {...shared} language={language} disabled={!isAllowed} />
    const Control = kind === 'text' ? TextArea : TextField
    return (
      <Control
        key={name}
        {...shared}
        {...(kind === 'text' && { rows: 2 })}
        hint={hint && i18n._(hint)}
        lang={language}
        dir={language && directionOf(language)}
      />
    )
  })
}

interface ContentFormProps<Output> {
  /** What saving needs. */
  permission?: Permission
  /** Whether saving needs a second factor. Some permissions always do. */
  needsSecondFactor?: boolean
  title: ReactNode
  send: (texts: Texts) => Promise<Output>
  /** What to say once it is saved. */
  done: string
  /** The object, where it exists: what is loaded again after a conflict. */
  queryKey?: QueryKey
  /** What else has changed. */
  changes: readonly QueryKey[]
  onDone?: (output: Output) => void
  submit?: ReactNode
  /** Whether something has changed that is no field of the form. */
  isChanged?: boolean
  /** Which form of the object it is, for its draft. Null: no browser may keep its texts. */
  part?: string | null
  /** What the form holds beside its fields, for its draft. */
  held?: HeldState
  /** The fields, given the errors by their names and a function that forgets them. */
  children: (errors: Texts, clearErrors: () => void) => ReactNode
}

/** A part of an object that is saved by itself, or the form that creates one. */
export function ContentForm<Output>(props: ContentFormProps<Output>) {
  const { permission = 'content:write', title, send, done, queryKey, changes, onDone, children } = props
  const { submit = <Trans>Save</Trans>, isChanged = false, part = 'texts', held } = props
  const { needsSecondFactor = secondFactorPermissions.includes(permission) } = props
  const isPermitted = useMay()(permission)
  const isConfirmed = useIsConfirmed() || !needsSecondFactor
  const isAllowed = isPermitted && isConfirmed
  const [isDirty, setDirty] = useState(false)
  const [saved, setSaved] = useState<{ output: Output }>()
  /** Whether something has been typed since the form was sent. */
  const hasTypedSince = useRef(false)
  const save = useWrite(send, {
    done,
    changes: [...(queryKey ? [queryKey] : []), ...changes],
    onDone: (output) => {
      // What was typed while an object was created is of no use on the page that opens.
      setDirty(queryKey !== undefined && hasTypedSince.current)
      setSaved({ output })
    },
  })
  const leave = useEffectEvent(onDone ?? (() => {}))
  // The page is left once nothing asks about unsaved changes any more.
  useEffect(() => {
    if (saved) leave(saved.output)
  }, [saved])
  return (
    <Section title={title}>
      {isPermitted && !isConfirmed && <SecondFactorNotice />}
      <form
        className={styles.form}
        onChange={() => {
          hasTypedSince.current = true
          setDirty(true)
        }}
        onSubmit={onSubmit((texts) => {
          hasTypedSince.current = false
          save.send(texts)
        })}
      >
        {isAllowed && part !== null && (
          <FormDraft
            queryKey={queryKey}
            part={part}
            // What else has changed is known as saved when the object is loaded again.
            isDirty={isDirty || (isChanged && !saved)}
            onRestore={() => setDirty(true)}
            held={held}
          />
        )}
        <fieldset className={form.fields} disabled={!isAllowed}>
          {children(save.failure?.fields ?? {}, save.reset)}
        </fieldset>
        <WriteRefusal failure={save.failure} queryKey={queryKey ?? []} onLoaded={save.reset} />
        {isAllowed && (
          <div className={form.buttons}>
            <Button type="submit" variant="primary" loading={save.isPending}>
              {submit}
            </Button>
          </div>
        )}
      </form>
      <UnsavedChanges when={isDirty || isChanged} />
    </Section>
  )
}

interface TranslationFormsProps<Name extends string> {
  permission?: Permission
  fields: readonly ContentText<Name>[]
  translations: Readonly<Partial<Record<Locale, Partial<Record<string, string>>>>>
  queryKey: QueryKey
  changes: readonly QueryKey[]
  send: (translations: Partial<Record<Locale, Partial<Record<Name, string>>>>) => Promise<unknown>
}

/** The texts in each further language of the store. An empty one is shown in its own language. */
export function TranslationForms<Name extends string>(props: TranslationFormsProps<Name>) {
  const { locale, locales } = useSettings().base
  return locales
    .filter((language) => language !== locale)
    .map((language) => <TranslationForm key={language} {...props} language={language} />)
}

function TranslationForm<Name extends string>(props: TranslationFormsProps<Name> & { language: Locale }) {
  const { permission = 'content:write', fields, translations, queryKey, changes, send, language } = props
  const { t } = useTexts()
  const values = translations[language] ?? {}
  const { key, recordSent } = useFormKey(Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? ''])))
  const languageName = storeLanguages[language]
  return (
    <ContentForm
      key={key}
      permission={permission}
      title={
        <Trans>
          Texts in <bdi lang={language}>{languageName}</bdi>
        </Trans>
      }
      done={t`Translation saved`}
      part={language}
      queryKey={queryKey}
      changes={changes}
      send={(typed) => send({ [language]: recordSent(textsIn(fields, typed)) })}
    >
      {(errors) => (
        <ContentTexts permission={permission} fields={fields} values={values} errors={errors} language={language} />
      )}
    </ContentForm>
  )
}
