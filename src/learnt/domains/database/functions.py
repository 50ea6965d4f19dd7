"""Functions that only compute: what a question may call. Any other name is refused.

Functions that the parser knows by a class of their own are known to compute, but for a few; of the
others the names are listed here, by server.
"""

from typing import Final

from sqlglot import exp

_NO_MERE_COMPUTING: Final = tuple(
    found
    for name in (
        "ReadCSV ReadParquet ToFile Secret NetFunc Predict GenerateEmbedding GenerateText "
        "GenerateTable VectorSearch AIAgg AIClassify AIEmbed AIForecast AIGenerate AISimilarity "
        "AISummarizeAgg MLForecast MLTranslate NextValueFor"
    ).split()
    if (found := getattr(exp, name, None)) is not None
)

_COMMON: Final = frozenset(
    """
    abs acos ascii asin atan atan2 avg bin bit_and bit_count bit_length bit_or bit_xor cast ceil
    ceiling char char_length character_length chr coalesce concat concat_ws convert cos cot count
    crc32 cume_dist curdate current_date current_time current_timestamp curtime date date_add
    date_format date_part date_sub date_trunc datediff day dayname dayofmonth dayofweek dayofyear
    degrees dense_rank elt exp extract extractvalue field find_in_set first_value floor format
    from_base64 from_days from_unixtime get_format greatest group_concat hex hour if ifnull iif in
    insert instr interval isnull json_array json_array_elements json_array_elements_text
    json_array_length json_arrayagg json_build_array json_build_object json_contains
    json_contains_path json_depth json_detailed json_each json_each_text json_exists json_extract
    json_keys json_length json_merge_patch json_merge_preserve json_object json_object_agg
    json_object_keys json_objectagg json_overlaps json_pretty json_query json_quote json_remove
    json_replace json_search json_set json_table json_tree json_type json_typeof json_unquote
    json_valid json_value jsonb_agg jsonb_array_elements jsonb_array_elements_text
    jsonb_array_length jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path_text
    jsonb_insert jsonb_object_agg jsonb_object_keys jsonb_pretty jsonb_set jsonb_typeof lag
    last_day last_value lead least left length like ln localtime localtimestamp locate log log10
    log2 lower lpad ltrim make_date make_interval make_set makedate maketime max md5 microsecond
    mid min minute mod month monthname now nth_value ntile nullif oct octet_length ord
    percent_rank percentile_cont percentile_disc period_add period_diff pi position pow power
    printf quarter quote radians rank regexp_count regexp_instr regexp_like regexp_match
    regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr repeat
    replace reverse right round row row_number rpad rtrim sec_to_time second sha sha1 sha2 sign
    sin soundex space split_part sqrt std stddev stddev_pop stddev_samp str_to_date strcmp
    strftime string_agg string_to_array strpos subdate substr substring substring_index subtime
    sum sysdate tan time time_format time_to_sec timediff timestamp timestampadd timestampdiff
    to_base64 to_char to_date to_days to_json to_jsonb to_number to_seconds to_timestamp translate
    trim trunc truncate ucase unhex unicode unix_timestamp upper utc_date utc_time utc_timestamp
    var_pop var_samp variance week weekday weekofyear year yearweek
    """.split()
)
_OF_SERVER: Final = {
    "mysql": frozenset(
        """
        add_months adddate addtime any_value charset coercibility collation connection_id
        current_user database export_set found_rows grouping inet6_aton inet6_ntoa inet_aton
        inet_ntoa is_ipv4 is_ipv6 isnull json_compact json_equals json_loose json_normalize lcase
        match natural_sort_key nvl nvl2 rand row_count schema session_user sformat st_area
        st_astext st_contains st_distance st_distance_sphere st_geomfromtext st_length st_within
        st_x st_y strcmp system_user user uuid_short version weight_string
        """.split()
    ),
    "postgres": frozenset(
        """
        age array_agg array_append array_cat array_dims array_fill array_length array_lower
        array_ndims array_position array_positions array_prepend array_remove array_to_json
        array_to_string array_upper bit_xor bool_and bool_or btrim cardinality cbrt
        clock_timestamp col_description corr covar_pop current_database current_schema
        current_schemas current_setting current_user date_bin daterange decode div encode every
        factorial format_type gcd gen_random_uuid generate_series generate_subscripts get_bit
        get_byte has_column_privilege has_database_privilege has_function_privilege
        has_schema_privilege has_table_privilege host inet_server_addr initcap int4range isempty
        isfinite isodow json_array_length json_strip_nulls json_to_record json_to_recordset
        jsonb_path_exists jsonb_path_query jsonb_path_query_array jsonb_strip_nulls
        jsonb_to_record jsonb_to_recordset jsonb_to_tsvector justify_days justify_hours
        justify_interval lateral lcm left lower_inc make_time make_timestamp make_timestamptz
        masklen min_scale mode network num_nonnulls num_nulls numnode obj_description overlay
        pg_backend_pid pg_blocking_pids pg_column_size pg_current_wal_lsn pg_database_size
        pg_encoding_to_char pg_get_constraintdef pg_get_expr pg_get_function_arguments
        pg_get_function_identity_arguments pg_get_function_result pg_get_functiondef
        pg_get_indexdef pg_get_partkeydef pg_get_serial_sequence pg_get_statisticsobjdef
        pg_get_triggerdef pg_get_userbyid pg_get_viewdef pg_has_role pg_indexes_size
        pg_is_in_recovery pg_last_xact_replay_timestamp pg_postmaster_start_time
        pg_relation_is_updatable pg_relation_size pg_size_bytes pg_size_pretty pg_snapshot_xmin
        pg_table_is_visible pg_table_size pg_total_relation_size pg_typeof pg_wal_lsn_diff
        phraseto_tsquery plainto_tsquery querytree quote_ident quote_literal quote_nullable random
        range_agg regexp_count regr_slope row_to_json scale set_byte setweight sha256
        shobj_description similarity starts_with statement_timestamp stddev string_to_table strip
        to_hex to_regclass to_regnamespace to_regproc to_regtype to_tsquery to_tsvector trim_scale
        ts_headline ts_rank ts_rank_cd tsrange txid_current_if_assigned txid_current_snapshot
        unnest upper_inc version websearch_to_tsquery width_bucket xmlagg xmlelement xmlforest
        """.split()
    ),
    "sqlite": frozenset(
        """
        bm25 changes char concat concat_ws date datetime glob group_concat hex highlight ifnull
        iif instr json julianday last_insert_rowid likelihood likely max median min nullif
        octet_length percentile pragma_compile_options pragma_database_list
        pragma_foreign_key_list pragma_function_list pragma_index_info pragma_index_list
        pragma_index_xinfo pragma_table_info pragma_table_list pragma_table_xinfo quote random
        round rtrim snippet sqlite_compileoption_used sqlite_source_id sqlite_version strftime
        substr time timediff total total_changes typeof unicode unixepoch unlikely zeroblob
        """.split()
    ),
}  # fmt: skip


def unknown(node: exp.Expr, dialect: str) -> str | None:
    """The name of a call that is not known to only compute; None for every other node."""
    if isinstance(node, _NO_MERE_COMPUTING):
        return node.sql_name() if isinstance(node, exp.Func) else type(node).__name__
    if isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)):
        name = str(node.name or node.this).lower()
        if isinstance(node.parent, exp.Dot):
            return f"{node.parent.sql()}"[:60]  # a routine of somebody's schema
        return None if name in _COMMON or name in _OF_SERVER[dialect] else name[:60]
    return None
