import type { ReactNode } from 'react'
import { classNames } from '~/ui/element'
import styles from './file-button.module.css'

interface FileButtonProps {
  /** The accepted kinds, such as `image/*`. */
  accept: string
  /** The accessible name, where the text does not say what the file is for. */
  label?: string
  isPending?: boolean
  /** Small, beside small buttons. */
  size?: 's'
  onChoose?: (file: File) => void
  /** Allows several files. */
  onChooseMany?: (files: readonly File[]) => void
  children: ReactNode
}

/** A button that chooses a file, or several. */
export function FileButton(props: FileButtonProps) {
  const { accept, label, isPending = false, size, onChoose, onChooseMany, children } = props
  return (
    <label className={classNames(styles.file, size && styles.small)} aria-busy={isPending}>
      {children}
      <input
        type="file"
        aria-label={label}
        accept={accept}
        multiple={onChooseMany !== undefined}
        // A disabled one would lose the focus.
        aria-disabled={isPending}
        onClick={(event) => isPending && event.preventDefault()}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          const [file] = files
          if (file) onChoose?.(file)
          if (file) onChooseMany?.(files)
        }}
      />
    </label>
  )
}
