import { Trans, useLingui } from '@lingui/react/macro'
import type { QueryKey } from '@tanstack/react-query'
import type { Permission } from '#contract/permissions.ts'
import { Button } from '~/ui/button'
import { useMay } from '../platform/session'
import { useWrite } from '../platform/use-write'
import { useConfirm } from './confirm'
import { WriteRefusal } from './conflict'
import form from './form.module.css'
import { Section } from './page'

interface DeleteSectionProps {
  /** What deleting needs. */
  permission?: Permission
  /** The question of the dialog. */
  question: string
  /** What must be typed first. */
  word: string
  queryKey: QueryKey
  changes: readonly QueryKey[]
  send: () => Promise<unknown>
  /** Leaves the page. */
  onDone: () => void
}

/** Deletes an object once it is confirmed. */
export function DeleteSection(props: DeleteSectionProps) {
  const { permission = 'content:write', question, word, queryKey, changes, send, onDone } = props
  const { t } = useLingui()
  const isAllowed = useMay()(permission)
  const remove = useWrite(send, { done: t`Deleted`, changes, onDone })
  const confirm = useConfirm({ title: question, word, action: t`Delete`, onConfirm: () => remove.sendAsync(undefined) })
  if (!isAllowed) return null
  return (
    <Section title={<Trans>Delete</Trans>}>
      <WriteRefusal failure={remove.failure} queryKey={queryKey} onLoaded={remove.reset} />
      <div className={form.buttons}>
        <Button variant="danger" onClick={confirm.ask}>
          <Trans>Delete</Trans>
        </Button>
      </div>
      {confirm.dialog}
    </Section>
  )
}
