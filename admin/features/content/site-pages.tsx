import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { agreedPages, type StorePage } from '#contract/admin/content.ts'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { ContentForm, ContentTexts, TranslationForms } from '../../ui/content-form'
import { DeleteSection } from '../../ui/delete-section'
import { useFormKey } from '../../ui/form-key'
import { History } from '../../ui/history'
import { OrderedRows } from '../../ui/ordered-rows'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { PeriodFields, usePeriodIn } from '../../ui/period-fields'
import { ReadOnlyNotice } from '../../ui/read-only-notice'
import { Loaded } from '../../ui/states'
import { StatusBadge } from '../../ui/status'
import { TextField } from '../../ui/text-field'
import { useVersions } from '../../ui/use-versions'
import { pageQuery, pagesQuery } from './content.queries'
import { ContentListPage, contentStates } from './content-tabs'
import { PlannedTexts, pageIn, pageTexts } from './planned-texts'
import { PublicationSection } from './publication-section'

const route = getRouteApi('/content/pages/$type')

const PlannedBadge = () => (
  <Badge>
    <Trans>Change planned</Trans>
  </Badge>
)

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
                items={items.map(({ type, title, state, updatedAt, plannedAt }) => ({
                  key: type,
                  name: title,
                  title: (
                    <Link to="/content/pages/$type" params={{ type }}>
                      <bdi>{title}</bdi>
                    </Link>
                  ),
                  detail: `/pages/${type} · ${date(updatedAt)}`,
                  end:
                    state === 'SHOWN' ? (
                      plannedAt !== null && <PlannedBadge />
                    ) : (
                      <StatusBadge status={contentStates[state]} />
                    ),
                }))}
              />
            </Section>
          </Columns>
        )}
      </Loaded>
    </ContentListPage>
  )
}

/** Writes the draft of a page and opens its editor, where it is published. */
export function NewSitePage() {
  const { t } = useLingui()
  const api = useAdminApi()
  const navigate = useNavigate()
  const periodIn = usePeriodIn()
  return (
    <Page title={t`New page`}>
      <ContentForm
        title={<Trans>Text</Trans>}
        send={(typed) =>
          api.admin.pages.create({ type: typed.type ?? '', ...pageIn(typed), ...periodIn(typed), isDraft: true })
        }
        done={t`Draft saved`}
        changes={[['site-pages'], ['store-status']]}
        onDone={({ type }) => void navigate({ to: '/content/pages/$type', params: { type } })}
        submit={<Trans>Save draft</Trans>}
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
            <ContentTexts fields={pageTexts} values={{}} errors={errors} />
            <PeriodFields errors={errors} />
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
  const { type, version, title, body, startsAt, endsAt, state } = page
  const isAgreed = agreedPages.includes(type)
  const periodIn = usePeriodIn()
  const { key, recordSent } = useFormKey({ title, body, startsAt, endsAt })
  const queryKey = ['site-page', type]
  const changes = [['site-pages'], ['store-status']]
  const context = { ifMatch: version }
  const versions = useVersions({
    texts: pageTexts,
    values: { title, body },
    translations: page.translations,
    queryKey,
    changes,
    send: (change) => api.admin.pages.change({ type, ...change }, { context }),
  })
  return (
    <Page
      title={title}
      badge={<StatusBadge status={contentStates[state]} />}
      actions={
        state === 'SHOWN' && (
          <Button icon="external" render={<a href={`/pages/${type}`}>{t`View in the store`}</a>}>
            <Trans>View in the store</Trans>
          </Button>
        )
      }
    >
      <ReadOnlyNotice permission="content:write" />
      {page.isUnfinished && (
        <Notice tone="warning">
          <Trans>
            Visitors do not see this page until [DRAFT] and each [FILL IN …] are replaced in its title and its text.
          </Trans>
        </Notice>
      )}
      <Columns
        aside={
          <>
            <PublicationSection
              object={page}
              queryKey={queryKey}
              changes={changes}
              canUnpublish={!isAgreed}
              hasLaterTexts={page.planned !== null}
              send={(change) => api.admin.pages.change({ type, ...change }, { context })}
              createPreview={(at) => api.admin.pages.createPreview({ type, at })}
            >
              <Trans>Visitors do not see this draft. Add its translations first.</Trans>
            </PublicationSection>
            <History entries={page.history} versions={versions} />
            {!isAgreed && (
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
          key={key}
          title={<Trans>Text</Trans>}
          send={(typed) =>
            api.admin.pages.change(
              { type, ...recordSent({ ...pageIn(typed), ...(!isAgreed && periodIn(typed)) }) },
              { context },
            )
          }
          done={t`Page saved`}
          queryKey={queryKey}
          changes={changes}
        >
          {(errors) => (
            <>
              <ContentTexts fields={pageTexts} values={{ title, body }} errors={errors} />
              {!isAgreed && <PeriodFields period={{ startsAt, endsAt }} errors={errors} />}
            </>
          )}
        </ContentForm>
        <PlannedTexts page={page} queryKey={queryKey} changes={changes} />
        <TranslationForms
          fields={pageTexts}
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
