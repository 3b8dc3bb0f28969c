import { useSyncExternalStore } from 'react'
import { classNames } from './element'
import styles from './icon.module.css'
import type { moreIcons } from './more-icons'

/**
 * Each icon is one path on a 24-unit grid, stroked 1.75 wide; a zero-length line is a dot. These
 * are in the first script; others are added later.
 */
const firstShapes = {
  search: 'M10.5 17.5a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM15.6 15.6 20.5 20.5',
  cart: 'M2.75 4h1.9c.5 0 .9.35 1 .83L7.6 14.6c.15.75.8 1.3 1.57 1.3h7.9c.75 0 1.4-.52 1.56-1.25L20.25 7.5H6.2M9.5 20h.01M17 20h.01',
  heart:
    'M12 20.25S3.5 15.6 3.5 9.4A4.65 4.65 0 0 1 8.15 4.75c1.6 0 3 .8 3.85 2.05a4.63 4.63 0 0 1 3.85-2.05A4.65 4.65 0 0 1 20.5 9.4c0 6.2-8.5 10.85-8.5 10.85Z',
  'heart-filled':
    'M12 20.25S3.5 15.6 3.5 9.4A4.65 4.65 0 0 1 8.15 4.75c1.6 0 3 .8 3.85 2.05a4.63 4.63 0 0 1 3.85-2.05A4.65 4.65 0 0 1 20.5 9.4c0 6.2-8.5 10.85-8.5 10.85Z',
  play: 'M7.5 4.9v14.2c0 .5.55.8.97.53l11-7.1a.63.63 0 0 0 0-1.06l-11-7.1a.63.63 0 0 0-.97.53Z',
  pause: 'M7.25 5h2.5v14h-2.5ZM14.25 5h2.5v14h-2.5Z',
  captions:
    'M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7c0-1.1.9-2 2-2ZM10.75 10.4a2.25 2.25 0 1 0 0 3.2M17.25 10.4a2.25 2.25 0 1 0 0 3.2',
  settings:
    'M4 7h8.5M17.5 7H20M4 17h2.5M11.5 17H20M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  'chevron-down': 'm6 9.25 6 6 6-6',
  'chevron-up': 'm6 14.75 6-6 6 6',
  'chevron-start': 'm14.75 6-6 6 6 6',
  'chevron-end': 'm9.25 6 6 6-6 6',
  'arrow-start': 'M20 12H4.5M11 5.5 4.5 12l6.5 6.5',
  'arrow-end': 'M4 12h15.5M13 5.5l6.5 6.5-6.5 6.5',
  close: 'm6 6 12 12M18 6 6 18',
  list: 'M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01',
  menu: 'M4 7.5h16M4 16.5h16',
  check: 'm4.75 12.75 4.75 4.75L19.5 7',
  clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 7.25V12l3.25 2',
  download: 'M12 3.75v11M7.25 10.5 12 15.25l4.75-4.75M4.5 19.75h15',
  lock: 'M6.5 10.5h11c.83 0 1.5.67 1.5 1.5v7c0 .83-.67 1.5-1.5 1.5h-11A1.5 1.5 0 0 1 5 19v-7c0-.83.67-1.5 1.5-1.5ZM8 10.5V7.75a4 4 0 0 1 8 0v2.75',
  user: 'M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.6-3.6 3.7-6 7.5-6s6.9 2.4 7.5 6',
  filter: 'M4 7h16M7 12h10M10 17h4',
  sort: 'M7.5 4.75v14.5M3.75 15.5l3.75 3.75 3.75-3.75M16.5 19.25V4.75M12.75 8.5l3.75-3.75 3.75 3.75',
  info: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 11.25v5M12 7.9h.01',
  warning:
    'M10.6 4.4 3.2 17.25a1.62 1.62 0 0 0 1.4 2.45h14.8c1.26 0 2.04-1.36 1.4-2.45L13.4 4.4a1.62 1.62 0 0 0-2.8 0ZM12 9.5V13M12 16.25h.01',
  error: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 7.5v5.25M12 16.1h.01',
  success: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM8 12.4l2.75 2.75L16 9.6',
  comment:
    'M20.5 11.5c0 4.1-3.8 7.25-8.5 7.25-1 0-1.95-.13-2.85-.4L4.5 20.25l1.2-3.85a6.75 6.75 0 0 1-2.2-4.9c0-4.1 3.8-7.25 8.5-7.25s8.5 3.15 8.5 7.25Z',
  share: 'M12 14.5V3.75M7.75 7.75 12 3.5l4.25 4.25M5 11.5v7c0 1.1.9 2 2 2h10a2 2 0 0 0 2-2v-7',
  grid: 'M5 4h4.5a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1ZM14.5 4H19a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1h-4.5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1ZM5 13.5h4.5a1 1 0 0 1 1 1V19a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-4.5a1 1 0 0 1 1-1ZM14.5 13.5H19a1 1 0 0 1 1 1V19a1 1 0 0 1-1 1h-4.5a1 1 0 0 1-1-1v-4.5a1 1 0 0 1 1-1Z',
  film: 'M5 4h14a1.5 1.5 0 0 1 1.5 1.5v13A1.5 1.5 0 0 1 19 20H5a1.5 1.5 0 0 1-1.5-1.5v-13A1.5 1.5 0 0 1 5 4ZM8 4v16M16 4v16M3.5 12h17M3.5 8H8M3.5 16H8M16 8h4.5M16 16h4.5',
  paperclip:
    'm19.5 11.5-7.6 7.6a4.6 4.6 0 0 1-6.5-6.5l8-8a3.05 3.05 0 0 1 4.3 4.3l-7.75 7.75a1.55 1.55 0 0 1-2.2-2.2L14.5 7.75',
  sparkle: 'M12 3.5c.6 4.9 3.6 7.9 8.5 8.5-4.9.6-7.9 3.6-8.5 8.5-.6-4.9-3.6-7.9-8.5-8.5 4.9-.6 7.9-3.6 8.5-8.5Z',
  retry: 'M20 12a8 8 0 1 1-2.4-5.7L20 8.5M20 3.75V8.5h-4.75',
} as const

/** Icons of the player's controls, which add them. */
type PlayerIcon = 'volume' | 'muted' | 'fullscreen' | 'exit-fullscreen' | 'pip' | 'cast' | 'back-10' | 'forward-10'

export type IconName = keyof typeof firstShapes | keyof typeof moreIcons | PlayerIcon

const shapes: Partial<Record<IconName, string>> = { ...firstShapes }

/** What renders the icons that wait for their shapes. */
const waiting = new Set<() => void>()

/**
 * Adds shapes of icons. An icon that the server rendered keeps its shape until then, because React
 * leaves attributes as they are when it hydrates. Others are empty until then.
 */
export function addIcons(more: Partial<Record<IconName, string>>): void {
  Object.assign(shapes, more)
  for (const render of waiting) render()
}

const waitForShapes = (render: () => void) => {
  waiting.add(render)
  return () => void waiting.delete(render)
}

/** The outline of an icon whose shape may be added later. */
function LaterShape({ name }: { name: IconName }) {
  const shape = () => shapes[name]
  return <path d={useSyncExternalStore(waitForShapes, shape, shape)} />
}

const solidIcons: ReadonlySet<IconName> = new Set<IconName>(['heart-filled', 'play', 'pause'])

/** Icons that point in reading direction and are mirrored in right-to-left languages. */
const mirroredIcons: ReadonlySet<IconName> = new Set<IconName>([
  'chevron-start',
  'chevron-end',
  'arrow-start',
  'arrow-end',
  'logout',
  'volume',
  'muted',
])

export interface IconProps {
  name: IconName
  /** 16, 20, 24 or 32 px; by default the size of the text. */
  size?: 's' | 'm' | 'l' | 'xl' | undefined
  /** The accessible name; without one the icon is decorative. */
  label?: string | undefined
  className?: string | undefined
}

/** An icon in the current text colour. */
export function Icon({ name, size, label, className }: IconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={classNames(
        styles.icon,
        size && styles[size],
        solidIcons.has(name) && styles.solid,
        mirroredIcons.has(name) && styles.mirrored,
        className,
      )}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      {name in firstShapes ? <path d={shapes[name]} /> : <LaterShape name={name} />}
    </svg>
  )
}
