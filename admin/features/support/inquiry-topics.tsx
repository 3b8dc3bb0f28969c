import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InquiryTopics, InquiryTopicsChange } from '#contract/admin/inquiries.ts'
import { directionOf } from '#contract/direction.ts'
import { Button } from '~/ui/button'
import { Card } from '~/ui/card'
import { Badge } from '~/ui/chip'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { useSettings } from '../../platform/settings'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import { History } from '../../ui/history'
import { OrderedRows } from '../../ui/ordered-rows'
import { Columns, LoadedPage, Page } from '../../ui/page'
import { storeLanguages } from '../../ui/store-languages'
import { TextField } from '../../ui/text-field'
import { topicChanges, topicsKey, topicsQuery } from './support.queries'
import { useTopicName } from './topics'

type Topic = InquiryTopics['items'][number]

/** Replaces the topics that were read. */
const useTopicsWrite = (
  stored: InquiryTopics,
  options: { done: string; onClose?: () => void; notifiesFailure?: true },
) => {
  const { inquiryTopics } = useAdminApi().admin
  return useWrite(
    (items: InquiryTopicsChange['items']) => inquiryTopics.change({ items }, { context: { ifMatch: stored.version } }),
    { changes: [topicsKey, ...topicChanges], ...options },
  )
}

/** Creates a topic, or renames `topic`. */
function TopicDialog({ stored: given, topic, onClose }: { stored: InquiryTopics; topic?: Topic; onClose: () => void }) {
  const { t } = useLingui()
  const topicName = useTopicName()
  // The version belongs to what is in the form.
  const [stored] = useState(given)
  const save = useTopicsWrite(stored, { done: t`Saved`, onClose })
  const { locale, locales } = useSettings().base
  const others = locales.filter((language) => language !== locale)
  const usual = topic && topicName(topic.code, null)
  const hasUsual = topic !== undefined && usual !== topic.code
  const at = topic ? stored.items.indexOf(topic) : stored.items.length
  const errors = save.failure?.fields ?? {}
  return (
    <FormDialog
      title={topic ? <Trans>Edit the topic</Trans> : <Trans>New topic</Trans>}
      action={<Trans>Save</Trans>}
      writes={[save]}
      part={`topic ${topic?.code ?? 'new'}`}
      onClose={onClose}
    >
      {(id) => (
        <form
          id={id}
          className={form.form}
          onSubmit={onSubmit(({ name = '', ...texts }) => {
            const written = others.flatMap((language) => {
              const text = texts[`name ${language}`]?.trim()
              return text ? [[language, { name: text }] as const] : []
            })
            const edited = {
              code: topic?.code,
              name: name.trim() || null,
              translations: Object.fromEntries(written),
              isHidden: topic?.isHidden ?? false,
            }
            save.send(topic ? stored.items.map((each) => (each === topic ? edited : each)) : [...stored.items, edited])
          })}
        >
          <WriteRefusal failure={save.failure} queryKey={topicsKey} onLoaded={onClose} />
          <TextField
            label={t`Name`}
            hint={hasUsual ? t`Empty for the usual name in each language: ${usual}` : undefined}
            name="name"
            defaultValue={topic?.name ?? ''}
            maxLength={60}
            required={!hasUsual}
            error={errors[`items[${at}].name`]}
          />
          {others.map((language) => {
            const languageName = storeLanguages[language]
            return (
              <TextField
                key={language}
                label={t`Name (${languageName})`}
                name={`name ${language}`}
                defaultValue={topic?.translations[language]?.name ?? ''}
                maxLength={60}
                lang={language}
                dir={directionOf(language)}
                error={errors[`items[${at}].translations.${language}.name`]}
              />
            )
          })}
        </form>
      )}
    </FormDialog>
  )
}

function TopicButtons({ stored, topic, onEdit }: { stored: InquiryTopics; topic: Topic; onEdit: () => void }) {
  const { t } = useLingui()
  const name = useTopicName()(topic.code, topic.name)
  const hide = useTopicsWrite(stored, { done: t`Saved`, notifiesFailure: true })
  const remove = useTopicsWrite(stored, { done: t`Topic deleted`, notifiesFailure: true })
  const confirm = useConfirm({
    title: t`Delete the topic “${name}”?`,
    action: t`Delete`,
    word: name,
    onConfirm: () => remove.sendAsync(stored.items.filter((each) => each !== topic)),
  })
  const toggled = stored.items.map((each) => (each === topic ? { ...each, isHidden: !each.isHidden } : each))
  return (
    <>
      <Button size="s" aria-label={t`Edit ${name}`} onClick={onEdit}>
        <Trans>Edit</Trans>
      </Button>
      <Button
        size="s"
        loading={hide.isPending}
        aria-label={topic.isHidden ? t`Show ${name}` : t`Hide ${name}`}
        onClick={() => hide.send(toggled)}
      >
        {topic.isHidden ? <Trans>Show</Trans> : <Trans>Hide</Trans>}
      </Button>
      {topic.inquiries === 0 && (
        <Button size="s" variant="ghost" aria-label={t`Delete ${name}`} onClick={confirm.ask}>
          <Trans>Delete</Trans>
        </Button>
      )}
      {confirm.dialog}
    </>
  )
}

function TopicRows({ stored, onEdit }: { stored: InquiryTopics; onEdit: (topic: Topic) => void }) {
  const { inquiryTopics } = useAdminApi().admin
  const isAllowed = useMay()('inquiries:write')
  const topicName = useTopicName()
  return (
    <OrderedRows
      permission="inquiries:write"
      items={stored.items.map((topic) => {
        const name = topicName(topic.code, topic.name)
        return {
          key: topic.code,
          name,
          title: (
            <>
              <bdi>{name}</bdi>{' '}
              {topic.isHidden && (
                <Badge tone="neutral">
                  <Trans>Hidden</Trans>
                </Badge>
              )}
            </>
          ),
          detail: <Plural value={topic.inquiries} one="# inquiry" other="# inquiries" />,
          end: isAllowed && <TopicButtons stored={stored} topic={topic} onEdit={() => onEdit(topic)} />,
        }
      })}
      queryKey={topicsKey}
      changes={topicChanges}
      send={({ key, position }) => {
        const moved = stored.items.filter(({ code }) => code === key)
        const items = stored.items.filter(({ code }) => code !== key).toSpliced(position - 1, 0, ...moved)
        return inquiryTopics.change({ items }, { context: { ifMatch: stored.version } })
      }}
    />
  )
}

/** The topics that members choose from when they write to the store. */
export function InquiryTopicsPage() {
  const { t } = useLingui()
  const isAllowed = useMay()('inquiries:write')
  const topics = useQuery(topicsQuery(useAdminApi()))
  const [editing, setEditing] = useState<Topic | 'NEW'>()
  const close = () => setEditing(undefined)
  return (
    <LoadedPage title={t`Topics of inquiries`} query={topics}>
      {(stored) => (
        <Page
          title={t`Topics of inquiries`}
          actions={
            isAllowed && (
              <Button icon="plus" variant="primary" onClick={() => setEditing('NEW')}>
                <Trans>New topic</Trans>
              </Button>
            )
          }
        >
          <Columns aside={<History entries={stored.history} />}>
            <p>
              <Trans>
                Members choose one when they write. Inquiries keep a topic that is hidden; one that inquiries have
                cannot be deleted.
              </Trans>
            </p>
            <Card>
              <TopicRows stored={stored} onEdit={setEditing} />
            </Card>
          </Columns>
          {editing && <TopicDialog stored={stored} onClose={close} {...(editing !== 'NEW' && { topic: editing })} />}
        </Page>
      )}
    </LoadedPage>
  )
}
