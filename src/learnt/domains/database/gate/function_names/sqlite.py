"""SQLite, with what is built into it; what a shell or an extension adds is left out."""

from typing import Final

# Pragmas whose argument says what is looked at.
LOOKING: Final = frozenset(
    """
    table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list
    integrity_check quick_check foreign_key_check
    """.split()
)
# Pragmas that tell a setting or a state where they have no argument.
TELLING: Final = frozenset(
    """
    analysis_limit application_id auto_vacuum automatic_index busy_timeout cache_size cache_spill
    cell_size_check checkpoint_fullfsync collation_list compile_options data_version database_list
    defer_foreign_keys encoding foreign_keys freelist_count fullfsync function_list hard_heap_limit
    ignore_check_constraints journal_mode journal_size_limit legacy_alter_table locking_mode
    max_page_count mmap_size module_list page_count page_size pragma_list query_only
    read_uncommitted recursive_triggers reverse_unordered_selects schema_version secure_delete
    soft_heap_limit synchronous temp_store threads trusted_schema user_version wal_autocheckpoint
    """.split()
)
_PRAGMAS: Final = frozenset(f"pragma_{name}" for name in LOOKING | TELLING)
NAMES: Final = _PRAGMAS | frozenset(
    """
    abs acos acosh asin asinh atan atan2 atanh avg bm25 ceil ceiling changes char coalesce concat
    concat_ws cos cosh count cume_dist current_date current_time current_timestamp date datetime
    dbstat
    degrees dense_rank exp first_value floor format glob group_concat hex highlight if ifnull iif
    instr json json_array json_array_insert json_array_length json_each json_error_position
    json_extract json_group_array json_group_object json_insert json_object json_patch json_pretty
    json_quote json_remove json_replace json_set json_tree json_type json_valid jsonb jsonb_array
    jsonb_each jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object
    jsonb_patch jsonb_remove jsonb_replace jsonb_set jsonb_tree julianday lag last_insert_rowid
    last_value lead length like likelihood likely ln log log10 log2 lower ltrim matchinfo max median
    min mod nth_value ntile nullif octet_length offsets percent_rank percentile percentile_cont
    percentile_disc pi pow power printf quote radians random randomblob rank replace round
    row_number rtreecheck rtreedepth rtreenode rtrim sign sin sinh snippet soundex
    sqlite_compileoption_get sqlite_compileoption_used sqlite_offset sqlite_source_id sqlite_version
    sqrt strftime string_agg substr substring subtype sum tan tanh time timediff total total_changes
    trim trunc typeof unhex unicode unistr unistr_quote unixepoch unlikely upper zeroblob
    generate_series
    """.split()
)
BARE: Final[frozenset[str]] = frozenset()
HINTS: Final[frozenset[str]] = frozenset()
# Tables that are no tables: they read files.
FILES: Final = frozenset({"fsdir", "lsdir", "zipfile"})
