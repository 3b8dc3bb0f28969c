import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { StoreInquiry } from '#contract/admin/inquiries.ts'
import type { StaffId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/card'
import { Badge } from '~/ui/chip'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { saveFile } from '../../platform/save-file'
import { useMay, useMe } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import form from '../../ui/form.module.css'
import { History } from '../../ui/history'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { Timeline } from '../../ui/timeline'
import { AnswerForm } from './answer-form'
import { assigneeIn, useAssigneeOptions } from './assign-dialog'
import { CloseInquiry, ReopenInquiry } from './close-inquiry'
import styles from './inquiry-list.module.css'
import { inquiryStatuses } from './inquiry-status'
import { inquiryChanges, inquiryFacetsQuery, inquiryQuery } from './support.queries'
import { useTopicName } from './topics'

const route = getRouteApi('/inquiries/$code')

/** Downloads a file of a message. */
function FileDownload({
  code,
  file,
}: {
  code: StoreInquiry['code']
  file: StoreInquiry['messages'][number]['files'][number]
}) {
  const { t } = useLingui()
  const { fileSize } = useFormat()
  const api = useAdminApi()
  const { id, name, bytes } = file
  const size = fileSize(bytes)
  const download = useWrite(() => api.admin.inquiries.file({ code, id }), {
    notifiesFailure: true,
    onDone: (content) => saveFile(content, name),
  })
  return (
    <p>
      <Button size="s" icon="download" loading={download.isPending} onClick={() => download.send(undefined)}>
        <bdi>{t`${name} (${size})`}</bdi>
      </Button>
    </p>
  )
}

/** Who answers the inquiry. */
function Assignment({ inquiry: { code, version, assignee } }: { inquiry: StoreInquiry }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const { id } = useMe()
  const options = useAssigneeOptions()
  const isAllowed = useMay()('inquiries:write')
  const { assignees = assignee ? [assignee] : [] } = useQuery(inquiryFacetsQuery(api)).data ?? {}
  const assign = useWrite(
    (assigneeId: StaffId | null) => api.admin.inquiries.assign({ code, assigneeId }, { context: { ifMatch: version } }),
    { done: t`Assignment saved`, changes: inquiryChanges(code) },
  )
  if (!isAllowed)
    return (
      <Section title={<Trans>Assigned to</Trans>}>
        <p>{assignee ? <bdi>{assignee.name}</bdi> : <Trans>Nobody</Trans>}</p>
      </Section>
    )
  // Whoever no longer answers inquiries still has those that were assigned to them.
  const people =
    !assignee || assignees.some((person) => person.id === assignee.id) ? assignees : [...assignees, assignee]
  return (
    <Section title={<Trans>Assigned to</Trans>}>
      <div className={form.form}>
        <WriteRefusal failure={assign.failure} queryKey={['inquiry', code]} onLoaded={assign.reset} />
        <Select
          label={t`Person`}
          value={assignee?.id ?? ''}
          options={options(people)}
          disabled={assign.isPending}
          onChange={({ target }) => assign.send(assigneeIn(people, target.value))}
        />
        {assignee?.id !== id && people.some((person) => person.id === id) && (
          <div className={form.buttons}>
            <Button size="s" loading={assign.isPending} onClick={() => assign.send(id)}>
              <Trans>Assign to me</Trans>
            </Button>
          </div>
        )}
      </div>
    </Section>
  )
}

/** What the inquiry is about, and who asks. */
function Facts({ inquiry }: { inquiry: StoreInquiry }) {
  const { t } = useLingui()
  const may = useMay()
  const topicName = useTopicName()
  const { dateTime } = useFormat()
  const { code, type, typeName, member, product, orderCode, timeSeconds, createdAt } = inquiry
  const person = (
    <>
      <bdi>{member.name}</bdi> · <bdi>{member.email}</bdi>
    </>
  )
  const minutes = (seconds: number) =>
    `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
  return (
    <Section title={<Trans>Inquiry</Trans>}>
      <DescriptionList
        rows={[
          { key: 'code', term: t`Number`, value: code },
          { key: 'topic', term: t`Topic`, value: <bdi>{topicName(type, typeName)}</bdi> },
          {
            key: 'member',
            term: t`Member`,
            value: may('members:read') ? (
              <Link to="/members/$id" params={{ id: member.id }} className={styles.link}>
                {person}
              </Link>
            ) : (
              person
            ),
          },
          ...(product
            ? [
                {
                  key: 'product',
                  term: t`Title`,
                  value: may('products:read') ? (
                    <Link to="/products/$code" params={{ code: product.code }} className={styles.link}>
                      <bdi>{product.title}</bdi>
                    </Link>
                  ) : (
                    <bdi>{product.title}</bdi>
                  ),
                },
              ]
            : []),
          ...(timeSeconds === null
            ? []
            : [{ key: 'time', term: t`Position in the video`, value: minutes(timeSeconds) }]),
          ...(orderCode
            ? [
                {
                  key: 'order',
                  term: t`Order`,
                  value: may('orders:read') ? (
                    <Link to="/orders/$code" params={{ code: orderCode }} className={styles.link}>
                      {orderCode}
                    </Link>
                  ) : (
                    orderCode
                  ),
                },
              ]
            : []),
          { key: 'created', term: t`Sent`, value: dateTime(createdAt) },
        ]}
      />
    </Section>
  )
}

function InquiryDetail({ inquiry }: { inquiry: StoreInquiry }) {
  const { t, i18n } = useLingui()
  const may = useMay()
  const { code, title, status, messages, history } = inquiry
  const authors = { MEMBER: t`Member`, ADMIN: t`Store` } as const
  return (
    <Page
      title={title}
      badge={<Badge tone={inquiryStatuses[status].tone}>{i18n._(inquiryStatuses[status].label)}</Badge>}
      actions={
        may('inquiries:write') &&
        (status === 'WAIT' ? <CloseInquiry inquiry={inquiry} /> : <ReopenInquiry inquiry={inquiry} />)
      }
    >
      <Columns
        aside={
          <>
            <Assignment inquiry={inquiry} />
            <Facts inquiry={inquiry} />
            <History entries={history} />
          </>
        }
      >
        <Section title={<Trans>Messages</Trans>}>
          <Timeline
            entries={messages.map(({ author, body, createdAt, files }) => ({
              key: createdAt,
              at: createdAt,
              title: authors[author],
              detail: (
                <>
                  {body}
                  {files.map((file) => (
                    <FileDownload key={file.id} code={code} file={file} />
                  ))}
                </>
              ),
            }))}
          />
          {may('inquiries:write') && <AnswerForm key={code} inquiry={inquiry} />}
        </Section>
      </Columns>
    </Page>
  )
}

/** An inquiry with its messages, and the form that answers it. */
export function InquiryPage() {
  const { t } = useLingui()
  const { code } = route.useParams()
  const inquiry = useQuery(inquiryQuery(useAdminApi(), code))
  return (
    <LoadedPage title={t`Inquiry`} query={inquiry}>
      {(data) => <InquiryDetail inquiry={data} />}
    </LoadedPage>
  )
}
