import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { InquiryCode } from '#contract/ids.ts'
import type { Inquiry, InquiryFile } from '#contract/inquiries.ts'
import { siteName } from '~/platform/document/head'
import { leftToRight, useFormat } from '~/platform/format/use-format'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Icon } from '~/ui/icon'
import { SectionHeading } from '~/ui/section-heading'
import { inquiryQuery } from '../inquiries.queries'
import type { InquiryAttempt } from '../inquiry-attempt'
import { useTypeName } from '../inquiry-words'
import styles from './inquiry-detail.module.css'
import { InquiryStatus } from './inquiry-status'
import { ReplyForm } from './reply-form'
import { SubjectLine } from './subject-line'

/** One inquiry: what was said by whom, with the files, and the way to say more. */
export function InquiryDetail({ code, attempt }: { code: InquiryCode; attempt: InquiryAttempt | null }) {
  const typeName = useTypeName()
  const { data: inquiry } = useSuspenseQuery(inquiryQuery(code))
  return (
    <div className={styles.inquiry}>
      <header>
        <Link className={styles.back} to="/mypages/inquiries">
          <Icon name="arrow-start" size="s" />
          <Trans>Support</Trans>
        </Link>
        <SectionHeading
          level="h1"
          title={<bdi>{inquiry.title}</bdi>}
          text={
            <span className={styles.facts}>
              <InquiryStatus status={inquiry.status} />
              <span>{typeName(inquiry.type)}</span>
              <span>{leftToRight(inquiry.code)}</span>
            </span>
          }
        />
      </header>
      <SubjectLine product={inquiry.product} order={inquiry.orderCode} seconds={inquiry.timeSeconds} />
      <ol className={styles.messages}>
        {inquiry.messages.map((message, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was said keeps its place.
          <Message key={at} message={message} />
        ))}
      </ol>
      <ReplyForm inquiry={inquiry} attempt={attempt} />
    </div>
  )
}

function Message({ message: { author, body, files, createdAt } }: { message: Inquiry['messages'][number] }) {
  const format = useFormat()
  const store = siteName(useSiteSettings())
  return (
    <li className={styles.message} data-author={author}>
      <p className={styles.who}>
        <b>{author === 'ADMIN' ? store : <Trans>You</Trans>}</b>
        <time dateTime={createdAt}>{format.dateTime(createdAt)}</time>
      </p>
      <p className={styles.body} dir="auto">
        {body}
      </p>
      {files.length > 0 && (
        <ul className={styles.files}>
          {files.map((file) => (
            <li key={file.id}>
              <FileLink file={file} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function FileLink({ file: { name, bytes, url } }: { file: InquiryFile }) {
  const format = useFormat()
  const words = (
    <>
      <Icon name="paperclip" size="s" />
      <bdi>{name}</bdi>
      <span className={styles.size}>{format.bytes(bytes)}</span>
    </>
  )
  if (!url) return <span className={styles.file}>{words}</span>
  return (
    <a className={styles.file} href={url} download={name} rel="nofollow">
      {words}
    </a>
  )
}
