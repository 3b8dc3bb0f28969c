import type { ComponentPropsWithRef, ReactNode } from 'react'
import styles from './button.module.css'
import { classNames, type RenderElement, renderAs } from './element'
import { Icon, type IconName } from './icon'
import iconButtonStyles from './icon-button.module.css'
import spinnerStyles from './spinner.module.css'
import { VisuallyHidden } from './visibility'

export interface SpinnerProps {
  size?: 's' | 'm' | 'l' | undefined
  /** Announced to screen readers. Omit it if the text beside it says the same. */
  label?: string | undefined
  className?: string | undefined
}

export function Spinner({ size, label, className }: SpinnerProps) {
  const ring = (
    <span className={classNames(spinnerStyles.spinner, size && spinnerStyles[size], className)} aria-hidden />
  )
  if (!label) return ring
  return (
    <span role="status">
      {ring}
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  )
}

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  /** Use one primary button per view. `inverse` is for artwork. */
  variant?: 'primary' | 'secondary' | 'outline' | 'ghost' | 'inverse' | 'danger' | undefined
  size?: 's' | 'm' | 'l' | undefined
  /** Full width. */
  full?: boolean | undefined
  /** Shows a spinner and ignores clicks. Size, name and focus stay. */
  loading?: boolean | undefined
  icon?: IconName | undefined
  iconEnd?: IconName | undefined
  /** A link to render as a button: `<Button render={<Link to="/carts" />}>…`. */
  render?: RenderElement | undefined
}

export function Button({
  variant = 'secondary',
  size = 'm',
  full,
  loading,
  icon,
  iconEnd,
  render,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const ownClass = classNames(
    styles.button,
    styles[variant],
    size !== 'm' && styles[size],
    full && styles.full,
    className,
  )
  const iconSize = size === 's' ? 's' : 'm'
  const content: ReactNode = (
    <>
      {icon && <Icon name={icon} size={iconSize} />}
      {children}
      {iconEnd && <Icon name={iconEnd} size={iconSize} />}
    </>
  )

  if (render) return renderAs(render, { className: ownClass }, content)
  return (
    <button
      type={type}
      className={ownClass}
      // `disabled` would lose the focus.
      aria-disabled={loading || undefined}
      data-loading={loading || undefined}
      aria-busy={loading || undefined}
      {...rest}
      onClick={loading ? (event) => event.preventDefault() : onClick}
    >
      {loading ? (
        <>
          <span className={styles.content}>{content}</span>
          <span className={styles.loader}>
            <Spinner />
          </span>
        </>
      ) : (
        content
      )}
    </button>
  )
}

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  icon: IconName
  /** The accessible name. */
  label: string
  /** `glass` is for use on pictures. */
  variant?: 'ghost' | 'soft' | 'glass' | undefined
  size?: 's' | 'm' | 'l' | undefined
  round?: boolean | undefined
  /**
   * A badge with a number, such as the items in the cart; hidden for 0. Include it in the label as
   * well.
   */
  count?: number | undefined
  render?: RenderElement | undefined
}

export function IconButton({
  icon,
  label,
  variant = 'ghost',
  size = 'm',
  round,
  count,
  render,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  const ownClass = classNames(
    iconButtonStyles.button,
    iconButtonStyles[variant],
    size !== 'm' && iconButtonStyles[size],
    round && iconButtonStyles.round,
    className,
  )
  const content = (
    <>
      <Icon name={icon} size={size === 's' ? 's' : 'm'} />
      {count ? (
        <span className={iconButtonStyles.count} aria-hidden>
          {count > 99 ? '99+' : count}
        </span>
      ) : null}
    </>
  )

  if (render) return renderAs(render, { className: ownClass, 'aria-label': label }, content)
  return (
    <button type={type} className={ownClass} aria-label={label} {...rest}>
      {content}
    </button>
  )
}

/**
 * A link to the demo's mailbox, in a new tab, so that the page that waits for the mail stays open.
 */
export function MailboxLink({ href, label }: { href: string; label: ReactNode }) {
  return (
    <Button full iconEnd="external" render={<a href={href} target="_blank" rel="noreferrer" />}>
      {label}
    </Button>
  )
}
