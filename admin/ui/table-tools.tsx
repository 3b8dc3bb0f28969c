import { Trans, useLingui } from '@lingui/react/macro'
import type { Editor } from '@tiptap/core'
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable, toggleHeaderRow } from '@tiptap/pm/tables'
import type { ReactNode } from 'react'
import { Button } from '~/ui/button'
import styles from './visual-editor.module.css'

/** What can be done to the table that the selection is in. */
export function TableTools({ editor }: { editor: Editor }) {
  const { t } = useLingui()
  const tools: { key: string; label: ReactNode; run: typeof addRowAfter }[] = [
    { key: 'add-row', label: <Trans>Add row</Trans>, run: addRowAfter },
    { key: 'add-column', label: <Trans>Add column</Trans>, run: addColumnAfter },
    { key: 'heading', label: <Trans>Row of headings</Trans>, run: toggleHeaderRow },
    { key: 'remove-row', label: <Trans>Remove row</Trans>, run: deleteRow },
    { key: 'remove-column', label: <Trans>Remove column</Trans>, run: deleteColumn },
    { key: 'remove', label: <Trans>Remove table</Trans>, run: deleteTable },
  ]
  return (
    <fieldset className={styles.table} aria-label={t`Table`}>
      {tools.map(({ key, label, run }) => (
        <Button
          key={key}
          size="s"
          // The editor keeps its selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            run(editor.state, editor.view.dispatch)
            editor.view.focus()
          }}
        >
          {label}
        </Button>
      ))}
    </fieldset>
  )
}
