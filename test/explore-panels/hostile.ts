/** Markup that would run a script if a panel read it as HTML. */
export const HOSTILE = '<img src=x onerror="window.attacked=1">';
