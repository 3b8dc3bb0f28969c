import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { StoreNotice } from '#contract/admin/content.ts'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { Checkbox } from '~/ui/choice'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { ContentForm, type ContentText, ContentTexts, TranslationForms, textsIn } from '../../ui/content-form'
import { DataList } from '../../ui/data-list'
import { DeleteSection } from '../../ui/delete-section'
import { Filters, SearchField } from '../../ui/filters'
import type { Texts } from '../../ui/form'
import { useFormKey } from '../../ui/form-key'
import { History } from '../../ui/history'
import { Columns, LoadedPage, Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { PeriodFields, usePeriodIn } from '../../ui/period-fields'
import { ReadOnlyNotice } from '../../ui/read-only-notice'
import { Loaded } from '../../ui/states'
import { StatusBadge } from '../../ui/status'
import { useVersions } from '../../ui/use-versions'
import { noticeQuery, noticesCountQuery, noticesQuery } from './content.queries'
import { ContentListPage, contentStates } from './content-tabs'
import { NoticeFiles } from './notice-files'
import { PublicationSection } from './publication-section'

const listRoute = getRouteApi('/content')
const pageRoute = getRouteApi('/content/notices/$id')

const texts = [
  { name: 'title', kind: 'line', label: msg`Title`, maxLength: 300, isRequired: true },
  { name: 'body', kind: 'html', label: msg`Text`, maxLength: 200_000, isRequired: true },
] as const satisfies readonly ContentText[]

/** The notices of the store in any state, latest first. */
export function NoticeList() {
  const { t } = useLingui()
  const { date } = useFormat()
  const search = listRoute.useSearch()
  const navigate = listRoute.useNavigate()
  const find = useCallback((q: string) => void navigate({ search: q ? { q } : {}, replace: true }), [navigate])
  const api = useAdminApi()
  const notices = useQuery({ ...noticesQuery(api, search), placeholderData: keepPreviousData })
  return (
    <ContentListPage kind="notices" create={<Trans>New notice</Trans>}>
      <Filters>
        <SearchField label={t`Title`} value={search.q ?? ''} onSearch={find} />
      </Filters>
      <Loaded query={notices}>
        {({ items, nextCursor }) => (
          <DataList
            label={t`Notices`}
            items={items}
            keyOf={({ id }) => id}
            empty={
              search.q ? (
                <Trans>No notice fits this search.</Trans>
              ) : (
                <Trans>Create the first notice: it tells visitors what is new in the store.</Trans>
              )
            }
            columns={[
              {
                key: 'title',
                header: t`Title`,
                cell: ({ id, title }) => (
                  <Link to="/content/notices/$id" params={{ id }}>
                    <bdi>{title}</bdi>
                  </Link>
                ),
              },
              { key: 'state', header: t`Status`, cell: ({ state }) => <StatusBadge status={contentStates[state]} /> },
              {
                key: 'pinned',
                header: t`Important`,
                isExtra: true,
                cell: ({ pinned }) =>
                  pinned && (
                    <Badge tone="soft">
                      <Trans>Important</Trans>
                    </Badge>
                  ),
              },
              { key: 'created', header: t`Created`, isExtra: true, cell: ({ createdAt }) => date(createdAt) },
            ]}
            paging={
              <Paging
                total={{ shown: items.length, count: noticesCountQuery(api, search) }}
                first={search.cursor && <Link to="/content" search={{ ...search, cursor: undefined }} />}
                next={nextCursor && <Link to="/content" search={{ ...search, cursor: nextCursor }} />}
              />
            }
          />
        )}
      </Loaded>
    </ContentListPage>
  )
}

function Fields({ notice, errors }: { notice?: StoreNotice; errors: Texts }) {
  const { t } = useLingui()
  return (
    <>
      <ContentTexts fields={texts} values={notice ? { title: notice.title, body: notice.body } : {}} errors={errors} />
      <Checkbox label={t`Important: above all others`} name="pinned" defaultChecked={notice?.pinned} />
      <PeriodFields {...(notice && { period: notice })} errors={errors} />
    </>
  )
}

const useFieldsIn = () => {
  const periodIn = usePeriodIn()
  return (typed: Texts) => {
    const { title = '', body = '' } = textsIn(texts, typed)
    return { title, body, ...periodIn(typed), pinned: typed.pinned !== undefined }
  }
}

/** Writes the draft of a notice and opens its page, where it gets files and is published. */
export function NewNotice() {
  const { t } = useLingui()
  const api = useAdminApi()
  const navigate = useNavigate()
  const fieldsIn = useFieldsIn()
  return (
    <Page title={t`New notice`}>
      <ContentForm
        title={<Trans>Text</Trans>}
        send={(typed) => api.admin.notices.create({ ...fieldsIn(typed), isDraft: true })}
        done={t`Draft saved`}
        changes={[['notices']]}
        onDone={({ id }) => void navigate({ to: '/content/notices/$id', params: { id } })}
        submit={<Trans>Save draft</Trans>}
      >
        {(errors) => <Fields errors={errors} />}
      </ContentForm>
    </Page>
  )
}

function NoticeEditor({ notice }: { notice: StoreNotice }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const navigate = useNavigate()
  const fieldsIn = useFieldsIn()
  const { id, version, title, body, pinned, startsAt, endsAt, state } = notice
  const { key, recordSent } = useFormKey({ title, body, pinned, startsAt, endsAt })
  const queryKey = ['notice', id]
  const changes = [['notices']]
  const context = { ifMatch: version }
  const versions = useVersions({
    texts,
    values: { title, body },
    translations: notice.translations,
    queryKey,
    changes,
    send: (change) => api.admin.notices.change({ id, ...change }, { context }),
  })
  return (
    <Page
      title={title}
      badge={<StatusBadge status={contentStates[state]} />}
      actions={
        state === 'SHOWN' && (
          <Button icon="external" render={<a href={`/notices/${id}`}>{t`View in the store`}</a>}>
            <Trans>View in the store</Trans>
          </Button>
        )
      }
    >
      <ReadOnlyNotice permission="content:write" />
      <Columns
        aside={
          <>
            <PublicationSection
              object={notice}
              queryKey={queryKey}
              changes={changes}
              send={(change) => api.admin.notices.change({ id, ...change }, { context })}
              createPreview={(at) => api.admin.notices.createPreview({ id, at })}
            >
              <Trans>Visitors do not see this draft. Add its files and translations first.</Trans>
            </PublicationSection>
            <NoticeFiles notice={notice} />
            <History entries={notice.history} versions={versions} />
            <DeleteSection
              question={t`Delete the notice?`}
              // A title can be too long to type.
              word={t`delete`}
              queryKey={queryKey}
              changes={changes}
              send={() => api.admin.notices.delete({ id }, { context })}
              onDone={() => void navigate({ to: '/content' })}
            />
          </>
        }
      >
        <ContentForm
          key={key}
          title={<Trans>Text</Trans>}
          send={(typed) => api.admin.notices.change({ id, ...recordSent(fieldsIn(typed)) }, { context })}
          done={t`Notice saved`}
          queryKey={queryKey}
          changes={changes}
        >
          {(errors) => <Fields notice={notice} errors={errors} />}
        </ContentForm>
        <TranslationForms
          fields={texts}
          translations={notice.translations}
          queryKey={queryKey}
          changes={changes}
          send={(translations) => api.admin.notices.change({ id, translations }, { context })}
        />
      </Columns>
    </Page>
  )
}

/** A notice with its texts, its period and its history. */
export function NoticePage() {
  const { t } = useLingui()
  const { id } = pageRoute.useParams()
  const notice = useQuery(noticeQuery(useAdminApi(), id))
  return (
    <LoadedPage title={t`Notice`} query={notice}>
      {(data) => <NoticeEditor notice={data} />}
    </LoadedPage>
  )
}
