import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { Refusal } from '~/parts/refusal'
import { call } from '~/platform/api/call'
import { problemOf, unknownError } from '~/platform/api/problem'
import { useValidationErrors } from '~/platform/api/validation-errors'
import { focusFirstInvalid } from '~/platform/focus'
import { useDirtyForm } from '~/platform/forms/dirty-forms'
import { useDraft } from '~/platform/session/session-change'
import { showToast } from '~/platform/toasts/toasts'
import { Button } from '~/ui/button'
import { isFilled, useEarlyInput } from '~/ui/field'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { TextArea, TextField } from '~/ui/text-field'
import {
  createInquiry,
  type InquiryInputSearch,
  type InquirySubject,
  inquiryDetailQuery,
  inquiryTypesQuery,
} from '../inquiries.functions'
import {
  handledInline,
  type InquiryField,
  type InquiryOutcome,
  inquiryFields,
  inquiryProblem,
  useTypeName,
} from '../inquiry-labels'
import { useUploads } from '../use-uploads'
import { FilePicker } from './file-picker'
import styles from './inquiry-form.module.css'
import { SubjectLine } from './inquiry-summary'

interface Props {
  search: InquiryInputSearch
  subject: InquirySubject
  /** Set after the form was posted without JavaScript. */
  outcome: InquiryOutcome | null
}

const longestTitle = 150
const longestBody = 5000

/** The inquiry form. Without script it posts to its own page. */
export function InquiryForm({ search, subject, outcome }: Props) {
  const { t } = useLingui()
  const typeName = useTypeName()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { data: types } = useSuspenseQuery(inquiryTypesQuery)
  const uploads = useUploads()
  const form = useRef<HTMLFormElement>(null)
  const [missing, setMissing] = useState<readonly InquiryField[]>(
    inquiryFields.filter((field) => outcome?.errors[field] !== undefined),
  )
  const [written, setWritten] = useState(false)
  const refused = useValidationErrors()
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: (data: Parameters<typeof createInquiry>[0]['data']) =>
      call((signal) => createInquiry({ data, signal }), { expected: handledInline }),
    onSuccess: async (inquiry) => {
      queryClient.setQueryData(inquiryDetailQuery(inquiry.code).queryKey, inquiry)
      void queryClient.invalidateQueries({ queryKey: ['inquiries', 'list'] })
      showToast({ severity: 'success', summary: msg`Inquiry sent.`, survivesNavigation: true })
      await navigate({ to: '/mypages/inquiries/$code', params: { code: inquiry.code } })
    },
    onError: () => focusFirstInvalid(form.current),
  })
  useDraft(form, 'inquiry')
  useEarlyInput(() => setWritten(form.current !== null && isFilled(form.current)))
  useDirtyForm(written && !isPending && !isSuccess)

  const { product, lesson } = subject
  const suggestedType = search.type ?? (search.order ? 'ORDER' : product ? 'PRODUCT' : undefined)
  const first = types.find(({ code }) => code === (outcome?.values.type || suggestedType)) ?? types[0]
  const title = product ? (lesson ? `${product.title}: ${lesson}` : product.title) : ''

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending || uploads.sending) return
    const fields = new FormData(event.currentTarget)
    const value = (name: string) => String(fields.get(name) ?? '').trim()
    const empty = inquiryFields.filter((name) => value(name) === '')
    setMissing(empty)
    if (empty.length > 0) return focusFirstInvalid(form.current)
    mutate({
      type: value('type'),
      title: value('title'),
      body: value('body'),
      files: uploads.ids,
      ...(product && { productId: product.id }),
      ...(search.order && { orderCode: search.order }),
      ...(product && search.t !== undefined && { timeSeconds: search.t }),
    })
  }
  const problem = error ? problemOf(error) : undefined
  const code = error ? (problem?.code ?? unknownError) : outcome?.code
  const subjectRefused = refused.productId?.[0] ?? refused.orderCode?.[0]

  return (
    <form
      ref={form}
      method="post"
      encType="multipart/form-data"
      className={styles.form}
      onSubmit={submit}
      onChange={() => setWritten(true)}
      noValidate
    >
      <SubjectLine product={product} order={search.order} seconds={product ? search.t : undefined} />
      {product && <input type="hidden" name="productId" value={product.id} />}
      {search.order && <input type="hidden" name="orderCode" value={search.order} />}
      {product && search.t !== undefined && <input type="hidden" name="timeSeconds" value={search.t} />}
      <Select
        name="type"
        label={t`Topic`}
        defaultValue={first?.code}
        options={types.map((type) => ({ value: type.code, label: typeName(type) }))}
        error={refused.type?.[0]}
      />
      <TextField
        name="title"
        label={t`Subject`}
        required
        maxLength={longestTitle}
        defaultValue={outcome?.values.title ?? title}
        error={missing.includes('title') ? t`Enter a subject.` : refused.title?.[0]}
      />
      <TextArea
        name="body"
        label={t`How can we help?`}
        required
        rows={8}
        maxLength={longestBody}
        defaultValue={outcome?.values.body}
        error={missing.includes('body') ? t`Enter your message.` : refused.body?.[0]}
      />
      <FilePicker uploads={uploads} />
      {code && (problem?.status !== 422 || subjectRefused) && (
        <Notice tone="danger" urgent>
          {subjectRefused ?? <Refusal code={code} message={inquiryProblem(code)} />}
        </Notice>
      )}
      <div className={styles.end}>
        <Button type="submit" variant="primary" size="l" loading={isPending} disabled={uploads.sending}>
          <Trans>Send inquiry</Trans>
        </Button>
        <p className={styles.note} role="status">
          {uploads.sending ? (
            <Trans>Your files are still uploading. Send your inquiry when they’re done.</Trans>
          ) : (
            <Trans>Only you and our support team can see this. We’ll email you when we reply.</Trans>
          )}
        </p>
      </div>
    </form>
  )
}
