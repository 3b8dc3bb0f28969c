import { Menu as ArkMenu } from '@ark-ui/react/menu'
import { Portal } from '@ark-ui/react/portal'
import { useLingui } from '@lingui/react/macro'
import { Button } from '~/ui/button'
import { Icon } from '~/ui/icon'
import styles from '~/ui/menu.module.css'
import { type ColumnChoice, isColumnShown, type ListedColumn } from './columns'

interface ColumnsMenuProps extends ColumnChoice {
  columns: readonly (ListedColumn & { header: string })[]
}

/** Chooses which columns of a list are shown. It stays open, so that several can be chosen. */
export function ColumnsMenu({ columns, shown, onShow }: ColumnsMenuProps) {
  const { t } = useLingui()
  const toggle = (key: string, isShown: boolean) => {
    const keys = columns
      .filter((column, at) => (column.key === key ? isShown : isColumnShown(shown, column, at)))
      .map((column) => column.key)
    const usual = columns.filter((column, at) => isColumnShown(undefined, column, at)).map((column) => column.key)
    onShow(keys.join(',') === usual.join(',') ? undefined : keys.join(','))
  }
  return (
    <ArkMenu.Root positioning={{ placement: 'bottom-end', gutter: 6 }} closeOnSelect={false} lazyMount unmountOnExit>
      <ArkMenu.Trigger asChild>
        <Button size="s" variant="ghost" icon="filter" aria-label={t`Columns`} />
      </ArkMenu.Trigger>
      <Portal>
        <ArkMenu.Positioner>
          <ArkMenu.Content className={styles.content} aria-label={t`Columns`}>
            {columns.slice(1).map((column, at) => {
              const { key, header } = column
              const isShown = isColumnShown(shown, column, at + 1)
              return (
                <ArkMenu.CheckboxItem
                  key={key}
                  value={key}
                  checked={isShown}
                  onCheckedChange={(checked) => toggle(key, checked)}
                  className={styles.item}
                >
                  <span className={styles.label}>{header}</span>
                  {isShown && <Icon name="check" size="s" className={styles.check} />}
                </ArkMenu.CheckboxItem>
              )
            })}
          </ArkMenu.Content>
        </ArkMenu.Positioner>
      </Portal>
    </ArkMenu.Root>
  )
}
