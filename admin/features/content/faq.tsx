import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import * as z from 'zod/mini'
import type { StoreFaq } from '#contract/admin/content.ts'
import { faqId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { ContentForm, type ContentText, ContentTexts, TranslationForms, textsIn } from '../../ui/content-form'
import { DeleteSection } from '../../ui/delete-section'
import type { Texts } from '../../ui/form'
import { useFormKey } from '../../ui/form-key'
import { History } from '../../ui/history'
import { OrderedRows } from '../../ui/ordered-rows'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { PeriodFields, usePeriodIn } from '../../ui/period-fields'
import { ReadOnlyNotice } from '../../ui/read-only-notice'
import { Loaded } from '../../ui/states'
import { StatusBadge } from '../../ui/status'
import { useVersions } from '../../ui/use-versions'
import { faqListQuery, faqQuery } from './content.queries'
import { ContentListPage, contentStates } from './content-tabs'
import { PublicationSection } from './publication-section'

const route = getRouteApi('/content/faq/$id')

const texts = [
  {
    name: 'group',
    kind: 'line',
    label: msg`Group`,
    hint: msg`Questions of one group stand together, for example Payment.`,
    maxLength: 100,
    isRequired: true,
  },
  { name: 'question', kind: 'line', label: msg`Question`, maxLength: 500, isRequired: true },
  { name: 'answer', kind: 'html', label: msg`Answer`, maxLength: 200_000, isRequired: true },
] as const satisfies readonly ContentText[]

const faqIn = (typed: Texts) => {
  const { group = '', question = '', answer = '' } = textsIn(texts, typed)
  return { group, question, answer }
}

/** All questions of the store in their order. */
export function FaqList() {
  const api = useAdminApi()
  const list = useQuery(faqListQuery(api))
  return (
    <ContentListPage kind="faq" create={<Trans>New question</Trans>}>
      <Loaded query={list}>
        {({ items, version, history }) => (
          <Columns aside={<History entries={history} />}>
            <Section title={<Trans>Questions</Trans>}>
              {items.length === 0 && (
                <p>
                  <Trans>Create the first question: what members ask most, with your answer.</Trans>
                </p>
              )}
              <OrderedRows
                queryKey={['faq-list']}
                send={({ key, position }) =>
                  api.admin.faq.move({ id: z.parse(faqId, key), position }, { context: { ifMatch: version } })
                }
                items={items.map(({ id, group, question, state }) => ({
                  key: id,
                  name: question,
                  title: (
                    <Link to="/content/faq/$id" params={{ id }}>
                      <bdi>{question}</bdi>
                    </Link>
                  ),
                  detail: <bdi>{group}</bdi>,
                  end: state !== 'SHOWN' && <StatusBadge status={contentStates[state]} />,
                }))}
              />
            </Section>
          </Columns>
        )}
      </Loaded>
    </ContentListPage>
  )
}

/** Writes the draft of a question and opens its page, where it is published. */
export function NewFaq() {
  const { t } = useLingui()
  const api = useAdminApi()
  const navigate = useNavigate()
  const periodIn = usePeriodIn()
  return (
    <Page title={t`New question`}>
      <ContentForm
        title={<Trans>Text</Trans>}
        send={(typed) => api.admin.faq.create({ ...faqIn(typed), ...periodIn(typed), isDraft: true })}
        done={t`Draft saved`}
        changes={[['faq-list']]}
        onDone={({ id }) => void navigate({ to: '/content/faq/$id', params: { id } })}
        submit={<Trans>Save draft</Trans>}
      >
        {(errors) => (
          <>
            <ContentTexts fields={texts} values={{}} errors={errors} />
            <PeriodFields errors={errors} />
          </>
        )}
      </ContentForm>
    </Page>
  )
}

function FaqEditor({ faq }: { faq: StoreFaq }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const navigate = useNavigate()
  const { id, version, group, question, answer, startsAt, endsAt } = faq
  const periodIn = usePeriodIn()
  const { key, recordSent } = useFormKey({ group, question, answer, startsAt, endsAt })
  const queryKey = ['faq', id]
  const changes = [['faq-list']]
  const context = { ifMatch: version }
  const versions = useVersions({
    texts,
    values: { group, question, answer },
    translations: faq.translations,
    queryKey,
    changes,
    send: (change) => api.admin.faq.change({ id, ...change }, { context }),
  })
  return (
    <Page
      title={question}
      badge={<StatusBadge status={contentStates[faq.state]} />}
      actions={
        faq.state === 'SHOWN' && (
          <Button icon="external" render={<a href={`/faq#${id}`}>{t`View in the store`}</a>}>
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
              object={faq}
              queryKey={queryKey}
              changes={changes}
              send={(change) => api.admin.faq.change({ id, ...change }, { context })}
              createPreview={(at) => api.admin.faq.createPreview({ id, at })}
            >
              <Trans>Visitors do not see this draft. Add its translations first.</Trans>
            </PublicationSection>
            <History entries={faq.history} versions={versions} />
            <DeleteSection
              question={t`Delete the question?`}
              word={t`delete`}
              queryKey={queryKey}
              changes={changes}
              send={() => api.admin.faq.delete({ id }, { context })}
              onDone={() => void navigate({ to: '/content/faq' })}
            />
          </>
        }
      >
        <ContentForm
          key={key}
          title={<Trans>Text</Trans>}
          send={(typed) =>
            api.admin.faq.change({ id, ...recordSent({ ...faqIn(typed), ...periodIn(typed) }) }, { context })
          }
          done={t`Question saved`}
          queryKey={queryKey}
          changes={changes}
        >
          {(errors) => (
            <>
              <ContentTexts fields={texts} values={{ group, question, answer }} errors={errors} />
              <PeriodFields period={{ startsAt, endsAt }} errors={errors} />
            </>
          )}
        </ContentForm>
        <TranslationForms
          fields={texts}
          translations={faq.translations}
          queryKey={queryKey}
          changes={changes}
          send={(translations) => api.admin.faq.change({ id, translations }, { context })}
        />
      </Columns>
    </Page>
  )
}

/** A question with its answer and its history. */
export function FaqPage() {
  const { t } = useLingui()
  const { id } = route.useParams()
  const faq = useQuery(faqQuery(useAdminApi(), id))
  return (
    <LoadedPage title={t`Question`} query={faq}>
      {(data) => <FaqEditor faq={data} />}
    </LoadedPage>
  )
}
