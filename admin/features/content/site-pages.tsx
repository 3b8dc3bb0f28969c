import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { agreedPages, type StorePage } from '#contract/admin/content.ts'
import type { Locale } from '#contract/enumerations.ts'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { Notice } from '~/ui/notice'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useSettings } from '../../platform/settings'
import { useWrite } from '../../platform/use-write'
import { ContentForm, type ContentText, ContentTexts, TranslationForms, textsIn } from '../../ui/content-form'
import { DeleteSection } from '../../ui/delete-section'
import type { Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { History } from '../../ui/history'
import { OrderedRows } from '../../ui/ordered-rows'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { fieldTimeOf, isoTimeOf } from '../../ui/period-fields'
import { ReadOnlyNotice } from '../../ui/read-only-notice'
import { Loaded } from '../../ui/states'
import { storeLanguages } from '../../ui/store-languages'
import { useVersions } from '../../ui/use-versions'
import { pageQuery, pagesQuery } from './content.queries'
import { ContentListPage } from './content-tabs'

const route = getRouteApi('/content/pages/$type')

const texts = [
  { name: 'title', kind: 'line', label: msg`Title`, maxLength: 200, isRequired: true },
  { name: 'body', kind: 'html', label: msg`Text`, maxLength: 200_000, isRequired: true },
] as const satisfies readonly ContentText[]

const pageIn = (typed: Texts) => ({ title: '', body: '', ...textsIn(texts, typed) })

const DraftBadge = () => (
  <Badge tone="warning">
    <Trans>Draft</Trans>
  </Badge>
)

/** The fields of the texts in a further language, where a form has several. */
const textsOf = (language: Locale): readonly ContentText[] =>
  texts.map((text) => ({ ...text, name: `${language}.${text.name}`, isRequired: false }))

const PlannedBadge = () => (
  <Badge>
    <Trans>Change planned</Trans>
  </Badge>
)

type PlannedTextsProps = { page: StorePage; queryKey: QueryKey; changes: readonly QueryKey[] }

/** The texts that a page has from a time on, in all languages of the store. */
function PlannedTexts({ page, queryKey, changes }: PlannedTextsProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const { dateTime } = useFormat()
  const { locale, locales, timeZone } = useSettings().base
  const [isPlanning, setPlanning] = useState(false)
  const { type, version, planned } = page
  const context = { ifMatch: version }
  const others = locales.filter((language) => language !== locale)
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
    translations: Object.fromEntries(
      others.map((language) => {
        const own = textsIn(textsOf(language), typed)
        return [language, { title: own[`${language}.title`] ?? '', body: own[`${language}.body`] ?? '' }]
      }),
    ),
  })
  return (
    <ContentForm
      key={version}
      title={startsAt === null ? <Trans>Planned texts</Trans> : <Trans>Texts from {dateTime(startsAt)} on</Trans>}
      send={(typed) => api.admin.pages.change({ type, planned: plannedIn(typed) }, { context })}
      done={t`Planned texts saved`}
      queryKey={queryKey}
      changes={changes}
    >
      {(errors) => (
        <>
          <TextField
            type="datetime-local"
            label={t`In effect from`}
            name="startsAt"
            required
            defaultValue={startsAt === null ? '' : fieldTimeOf(new Date(startsAt), timeZone)}
            error={errors['planned.startsAt']}
          />
          <ContentTexts fields={texts} values={{ title, body }} errors={errors} />
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

/** The pages of the store in the order of its footer. */
export function SitePageList() {
  const { date } = useFormat()
  const api = useAdminApi()
  const list = useQuery(pagesQuery(api))
  return (
    <ContentListPage kind="pages" create={<Trans>New page</Trans>}>
      <Loaded query={list}>
        {({ items, version, history }) => (
          <Columns aside={<History entries={history} />}>
            <Section title={<Trans>Pages in the order of the footer</Trans>}>
              <OrderedRows
                queryKey={['site-pages']}
                send={(move) =>
                  api.admin.pages.move({ type: move.key, position: move.position }, { context: { ifMatch: version } })
                }
                items={items.map(({ type, title, isDraft, updatedAt, plannedAt }) => ({
                  key: type,
                  name: title,
                  title: (
                    <Link to="/content/pages/$type" params={{ type }}>
                      <bdi>{title}</bdi>
                    </Link>
                  ),
                  detail: `/pages/${type} · ${date(updatedAt)}`,
                  end: isDraft ? <DraftBadge /> : plannedAt !== null && <PlannedBadge />,
                }))}
              />
            </Section>
          </Columns>
        )}
      </Loaded>
    </ContentListPage>
  )
}

/** Writes a page and opens its editor. */
export function NewSitePage() {
  const { t } = useLingui()
  const api = useAdminApi()
  const navigate = useNavigate()
  return (
    <Page title={t`New page`}>
      <ContentForm
        title={<Trans>Text</Trans>}
        send={(typed) => api.admin.pages.create({ type: typed.type ?? '', ...pageIn(typed) })}
        done={t`Page created`}
        changes={[['site-pages'], ['store-status']]}
        onDone={({ type }) => void navigate({ to: '/content/pages/$type', params: { type } })}
        submit={<Trans>Create page</Trans>}
      >
        {(errors) => (
          <>
            <TextField
              label={t`End of its address`}
              hint={t`Small letters a to z, digits and hyphens. It cannot be changed later.`}
              name="type"
              pattern="[a-z0-9][a-z0-9\-]*"
              maxLength={40}
              required
              dir="ltr"
              error={errors.type}
            />
            <ContentTexts fields={texts} values={{}} errors={errors} />
          </>
        )}
      </ContentForm>
    </Page>
  )
}

function SitePageEditor({ page }: { page: StorePage }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const navigate = useNavigate()
  const { type, version, title, body, isDraft } = page
  const queryKey = ['site-page', type]
  const changes = [['site-pages'], ['store-status']]
  const context = { ifMatch: version }
  const versions = useVersions({
    texts,
    values: { title, body },
    translations: page.translations,
    queryKey,
    changes,
    send: (change) => api.admin.pages.change({ type, ...change }, { context }),
  })
  return (
    <Page
      title={title}
      badge={isDraft && <DraftBadge />}
      actions={
        !isDraft && (
          <Button icon="external" render={<a href={`/pages/${type}`}>{t`View in the store`}</a>}>
            <Trans>View in the store</Trans>
          </Button>
        )
      }
    >
      <ReadOnlyNotice permission="content:write" />
      {isDraft && (
        <Notice tone="warning">
          <Trans>
            Visitors do not see this page until [DRAFT] and each [FILL IN …] are replaced in its title and its text.
          </Trans>
        </Notice>
      )}
      <Columns
        aside={
          <>
            <History entries={page.history} versions={versions} />
            {!agreedPages.includes(type) && (
              <DeleteSection
                question={t`Delete the page?`}
                word={type}
                queryKey={queryKey}
                changes={changes}
                send={() => api.admin.pages.delete({ type }, { context })}
                onDone={() => void navigate({ to: '/content/pages' })}
              />
            )}
          </>
        }
      >
        <ContentForm
          key={JSON.stringify([title, body])}
          title={<Trans>Text</Trans>}
          send={(typed) => api.admin.pages.change({ type, ...pageIn(typed) }, { context })}
          done={t`Page saved`}
          queryKey={queryKey}
          changes={changes}
        >
          {(errors) => <ContentTexts fields={texts} values={{ title, body }} errors={errors} />}
        </ContentForm>
        <PlannedTexts page={page} queryKey={queryKey} changes={changes} />
        <TranslationForms
          fields={texts}
          translations={page.translations}
          queryKey={queryKey}
          changes={changes}
          send={(translations) => api.admin.pages.change({ type, translations }, { context })}
        />
      </Columns>
    </Page>
  )
}

/** A page of the store with its texts and its history. */
export function SitePage() {
  const { t } = useLingui()
  const { type } = route.useParams()
  const page = useQuery(pageQuery(useAdminApi(), type))
  return (
    <LoadedPage title={t`Page`} query={page}>
      {(data) => <SitePageEditor page={data} />}
    </LoadedPage>
  )
}
