import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import type { StorePage } from '#contract/admin/content.ts'
import type { Locale } from '#contract/enumerations.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useSettings } from '../../platform/settings'
import { useWrite } from '../../platform/use-write'
import { ContentForm, type ContentText, ContentTexts, textsIn } from '../../ui/content-form'
import type { Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { useFormKey } from '../../ui/form-key'
import { Section } from '../../ui/page'
import { fieldTimeOf, isoTimeOf, StoreTimeField } from '../../ui/period-fields'
import { storeLanguages } from '../../ui/store-languages'

/** What visitors read of a page, in each language. */
export const pageTexts = [
  { name: 'title', kind: 'line', label: msg`Title`, maxLength: 200, isRequired: true },
  { name: 'body', kind: 'html', label: msg`Text`, maxLength: 200_000, isRequired: true },
] as const satisfies readonly ContentText[]

/** Returns what is typed of a page. */
export const pageIn = (typed: Texts) => ({ title: '', body: '', ...textsIn(pageTexts, typed) })

/** The fields of the texts in a further language, where a form has several. */
const textsOf = (language: Locale): readonly ContentText[] =>
  pageTexts.map((text) => ({ ...text, name: `${language}.${text.name}`, isRequired: false }))

type PlannedTextsProps = { page: StorePage; queryKey: QueryKey; changes: readonly QueryKey[] }

/** The texts that a page has from a time on, in all languages of the store. */
export function PlannedTexts({ page, queryKey, changes }: PlannedTextsProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const { dateTime } = useFormat()
  const { locale, locales, timeZone } = useSettings().base
  const [isPlanning, setPlanning] = useState(false)
  const { type, planned } = page
  const context = { ifMatch: page.version }
  const others = locales.filter((language) => language !== locale)
  const translated = (textOf: (language: Locale, name: 'title' | 'body') => string | undefined) =>
    Object.fromEntries(
      others.map((language) => [
        language,
        { title: textOf(language, 'title') ?? '', body: textOf(language, 'body') ?? '' },
      ]),
    )
  const { key, recordSent } = useFormKey(
    planned && { ...planned, translations: translated((language, name) => planned.translations[language]?.[name]) },
  )
  const remove = useWrite(() => api.admin.pages.change({ type, planned: null }, { context }), {
    done: t`Planned texts removed`,
    changes: [queryKey, ...changes],
  })
  if (planned === null && !isPlanning)
    return (
      <Section title={<Trans>Planned texts</Trans>}>
        <p>
          <Trans>Write the next version now. Visitors read it from a day on, and the present one until then.</Trans>
        </p>
        <div className={form.buttons}>
          <Button onClick={() => setPlanning(true)}>
            <Trans>Plan a new version</Trans>
          </Button>
        </div>
      </Section>
    )
  const { title, body, translations } = planned ?? page
  const startsAt = planned?.startsAt ?? null
  const plannedIn = (typed: Texts) => ({
    ...pageIn(typed),
    startsAt: isoTimeOf(typed.startsAt ?? '', timeZone),
    translations: translated((language, name) => textsIn(textsOf(language), typed)[`${language}.${name}`]),
  })
  return (
    <ContentForm
      key={key}
      title={startsAt === null ? <Trans>Planned texts</Trans> : <Trans>Texts from {dateTime(startsAt)} on</Trans>}
      send={(typed) => api.admin.pages.change({ type, planned: recordSent(plannedIn(typed)) }, { context })}
      done={t`Planned texts saved`}
      queryKey={queryKey}
      changes={changes}
    >
      {(errors) => (
        <>
          <StoreTimeField
            label={t`In effect from`}
            name="startsAt"
            required
            defaultValue={startsAt === null ? '' : fieldTimeOf(new Date(startsAt), timeZone)}
            error={errors['planned.startsAt']}
          />
          <ContentTexts fields={pageTexts} values={{ title, body }} errors={errors} />
          {others.map((language) => (
            <fieldset key={language} className={form.fields}>
              <legend lang={language}>{storeLanguages[language]}</legend>
              <ContentTexts
                fields={textsOf(language)}
                values={{
                  [`${language}.title`]: translations[language]?.title,
                  [`${language}.body`]: translations[language]?.body,
                }}
                errors={errors}
              />
            </fieldset>
          ))}
          {planned !== null && (
            <Button loading={remove.isPending} onClick={() => remove.send(undefined)}>
              <Trans>Remove the planned texts</Trans>
            </Button>
          )}
        </>
      )}
    </ContentForm>
  )
}
