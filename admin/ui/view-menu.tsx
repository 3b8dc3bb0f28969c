import { Trans, useLingui } from '@lingui/react/macro'
import type { SavedView } from '#contract/admin/views.ts'
import { Button } from '~/ui/button'
import { Menu, MenuItem } from '~/ui/menu'
import { useApi } from '../platform/client'
import { useWrite } from '../platform/use-write'
import { useConfirm } from './confirm'

interface ViewMenuProps {
  view: SavedView
  /** What a change of the view changes. */
  changes: readonly (readonly string[])[]
  onRename: () => void
  onDeleted: () => void
}

/** Renames, shares and deletes the view that is shown. */
export function ViewMenu({ view: { id, name, isShared, isOwn }, changes, onRename, onDeleted }: ViewMenuProps) {
  const { t } = useLingui()
  const { staff } = useApi()
  const share = useWrite(() => staff.changeView({ id, isShared: !isShared }), {
    done: isShared ? t`Only you see the view now` : t`All staff see the view now`,
    changes,
    notifiesFailure: true,
  })
  const remove = useWrite(() => staff.deleteView({ id }), {
    done: t`View deleted`,
    changes,
    onDone: onDeleted,
    notifiesFailure: true,
  })
  const confirm = useConfirm({
    title: t`Delete the view “${name}”?`,
    text: isShared && <Trans>It is deleted for all staff.</Trans>,
    action: t`Delete`,
    onConfirm: () => remove.sendAsync(undefined),
  })
  return (
    <>
      <Menu
        align="start"
        trigger={
          <Button size="s" variant="ghost" iconEnd="chevron-down" loading={share.isPending}>
            <Trans>View</Trans>
          </Button>
        }
      >
        <MenuItem value="rename" onSelect={onRename}>
          <Trans>Rename</Trans>
        </MenuItem>
        {isOwn && (
          <MenuItem value="share" onSelect={() => share.send(undefined)}>
            {isShared ? <Trans>Show to me only</Trans> : <Trans>Share with all staff</Trans>}
          </MenuItem>
        )}
        <MenuItem value="delete" danger onSelect={confirm.ask}>
          <Trans>Delete</Trans>
        </MenuItem>
      </Menu>
      {confirm.dialog}
    </>
  )
}
