import type { ReactNode } from 'react'
import styles from './file-button.module.css'

interface FileButtonProps {
  /** The accepted kinds, such as `image/*`. */
  accept: string
  /** The accessible name, where the text does not say what the file is for. */
  label?: string
  isPending?: boolean
  onChoose: (file: File) => void
  children: ReactNode
}

/** A button that chooses a file. */
export function FileButton({ accept, label, isPending = false, onChoose, children }: FileButtonProps) {
  return (
    <label className={styles.file} aria-busy={isPending}>
      {children}
      <input
        type="file"
        aria-label={label}
        accept={accept}
        disabled={isPending}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file) onChoose(file)
        }}
      />
    </label>
  )
}
